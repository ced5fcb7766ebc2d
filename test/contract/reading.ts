import { expect } from "vitest";
import { type ParameterTable, readQuery } from "../../src/contract/query.js";

/** What a search has where its query says nothing. */
export const DEFAULTS = { sort: "score", page: 1, limit: 24 };

/** The read value without the parameters that were not given. */
export function valueRead(table: ParameterTable, raw: string): object {
  const read = readQuery(table, raw);
  expect(read, raw).toMatchObject({ ok: true });
  const value = read.ok ? read.value : {};
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined));
}

/** The paths of the issues, in their order; none where the query is right. */
export function pathsOf(table: ParameterTable, raw: string): string[] {
  const read = readQuery(table, raw);
  return read.ok ? [] : read.issues.map(({ path }) => path);
}

/** A pair of name and value, as often as said. */
export const times = (count: number, pair: string) => new Array(count).fill(pair).join("&");
