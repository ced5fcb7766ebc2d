import { pattern, type ValueKind } from "../../contract/values.js";

/**
 * A position in the changes: everything up to a publication, or up to a host in it. Written `12-5f0c3a9e`, or
 * `12-5f0c3a9e~example.org`; clients may also write a bare number.
 */
export interface ChangesCursor {
  readonly generation: number;
  /** The beginning of the content of the store's first publication; null if the client gives none. */
  readonly origin: string | null;
  /** Null: all of the publication is known. */
  readonly host: string | null;
}

export function cursorText({ generation, origin, host }: ChangesCursor): string {
  return `${generation}${origin === null ? "" : `-${origin}`}${host === null ? "" : `~${host}`}`;
}

/** Reads a cursor that `CURSOR` has accepted. */
export function readCursor(text: string): ChangesCursor {
  const [, generation, origin = null, host = null] =
    /^(\d+)(?:-(\w+))?(?:~(.+))?$/.exec(text) ?? [];
  return { generation: Number(generation), origin, host };
}

/** A position in the changes. */
export const CURSOR: ValueKind<string> = pattern(
  /^(?:0|[1-9][0-9]{0,14})(?:-[0-9a-f]{8})?(?:~[a-z0-9.-]+)?$/,
  "must be a generation, or a cursor of an earlier answer",
  { maxLength: 300, examples: ["12-5f0c3a9e"] },
);
