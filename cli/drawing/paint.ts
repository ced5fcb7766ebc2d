import { styleText } from "node:util";

/** The role of a piece of output. It determines the colour. */
export type Role = "error" | "warning" | "good" | "strong" | "dim" | "bar";

/** Puts a role's colours around a text. */
export type Paint = (role: Role, text: string) => string;

const STYLES = {
  error: "red",
  warning: "yellow",
  good: "green",
  strong: "bold",
  dim: "dim",
  bar: "cyan",
} as const satisfies Record<Role, Parameters<typeof styleText>[0]>;

/** For output without colours. */
export const plain: Paint = (_role, text) => text;

/** Colours if the stream supports them and the environment does not forbid them (`NO_COLOR`, `FORCE_COLOR`, `TERM`). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  const coloured: Paint = (role, text) =>
    text === "" ? text : styleText(STYLES[role], text, { stream });
  return coloured;
}
