import { describe, expect, it } from "vitest";
import * as library from "../../src/index.js";
import { NUMBERS } from "../../src/options/defaults.js";
import { checkedOptions, wholeNumber } from "../../src/options/options.js";
import { temporaryFolder } from "../fixtures.js";

type Call = (...args: unknown[]) => unknown;
const { build, validate, exportSite, verify, rollback, diff, explain, writeSample } =
  library as unknown as Record<string, Call>;
const publishedSchema = library.publishedSchema as unknown as Call;

/** Each call with the message of its TypeError. */
const WRONG: readonly (readonly [string, (folder: string) => unknown, string])[] = [
  ["no target", () => build?.(), 'build: "published" must be the path of a folder, found nothing'],
  [
    "an empty path",
    () => validate?.(""),
    'validate: "published" must be the path of a folder, found ""',
  ],
  [
    "a number as text",
    (dir) => build?.(dir, { keep: "3" }),
    'build: "keep" must be a whole number from 1 to 1000, found "3"',
  ],
  [
    "a number out of range",
    (dir) => build?.(dir, { keep: 0 }),
    'build: "keep" must be a whole number from 1 to 1000, found 0',
  ],
  [
    "an unknown option",
    (dir) => validate?.(dir, { keep: 3 }),
    'validate: there is no option "keep", only jobs, strict, signal, onProgress',
  ],
  [
    "null",
    (dir) => build?.(dir, { maxRemoved: null }),
    'build: "maxRemoved" must be a whole number, or a whole percentage up to 100%, found null',
  ],
  [
    "options that are an array",
    (dir) => verify?.(dir, []),
    'verify: "options" must be an object, found an array',
  ],
  [
    "a text as flag",
    (dir) => exportSite?.(dir, { full: "yes" }),
    'exportSite: "full" must be true or false, found "yes"',
  ],
  [
    "a controller for its signal",
    (dir) => rollback?.(dir, { signal: new AbortController() }),
    'rollback: "signal" must be an AbortSignal, found an object',
  ],
  [
    "no function",
    (dir) => verify?.(dir, { onProgress: true }),
    'verify: "onProgress" must be a function, found true',
  ],
  [
    "an id that is no text",
    () => diff?.(7),
    `diff: "id" must be a snapshot's generation or id, or the beginning of an id, found 7`,
  ],
  [
    "a host without a canonical form",
    () => explain?.("localhost"),
    'explain: "host" must be a host, or an address that has one, found "localhost"',
  ],
  [
    "more listings than the sample has",
    (dir) => writeSample?.(dir, { listings: 501 }),
    'writeSample: "listings" must be a whole number from 0 to 500, found 501',
  ],
  [
    "an unknown record",
    async () => publishedSchema("lists"),
    'publishedSchema: "record" must be one of directory, standards, taxonomy, listing, scan, found "lists"',
  ],
];

describe("a wrong argument of the library", () => {
  it.each(WRONG)("%s rejects with a TypeError that names it", async (_, call, message) => {
    const error: unknown = await Promise.resolve(call(await temporaryFolder())).then(
      () => null,
      (rejected: unknown) => rejected,
    );
    expect(error).toBeInstanceOf(TypeError);
    expect((error as TypeError).message).toContain(message);
  });

  it("a long text is shown in part", async () => {
    await expect(build?.("x", { keep: "3".repeat(1000) })).rejects.toThrow(/found "3{60}"$/);
  });
});

describe("an option of the library", () => {
  it("may be undefined, and then has its default", () => {
    const types = { keep: wholeNumber(NUMBERS.keep).default(NUMBERS.keep.usual) };
    const given: { readonly keep?: number | undefined } = { keep: undefined };
    expect(checkedOptions("build", given, types)).toEqual({ keep: 3 });
  });

  it.each(Object.entries(NUMBERS))("%s has a default in its range", (_, range) => {
    expect(range.max).toBeGreaterThan(range.min);
    if (!("usual" in range)) return;
    expect(range.usual).toBeGreaterThanOrEqual(range.min);
    expect(range.usual).toBeLessThanOrEqual(range.max);
  });
});
