import { styleText } from "node:util";

/** What a piece of the output is; its colour follows from that. */
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

/** For where colours are not wanted. */
export const plain: Paint = (_role, text) => text;

/** Colours where the stream shows them and nobody has asked for none (`NO_COLOR`, `FORCE_COLOR`, `TERM`). */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  const coloured: Paint = (role, text) =>
    text === "" ? text : styleText(STYLES[role], text, { stream });
  return coloured;
}
