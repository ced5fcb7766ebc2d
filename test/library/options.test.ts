import { Option } from "commander";
import { describe, expect, it, onTestFinished } from "vitest";
import { EXPORT } from "../../src/export/options.js";
import { installExtras } from "../../src/extra.js";
import { EXTRAS } from "../../src/extras/index.js";
import * as library from "../../src/index.js";
import { checkedOptions } from "../../src/lib/options.js";
import { BUILD } from "../../src/publish/options.js";
import { SAMPLE_OPTIONS } from "../../src/sample/options.js";
import { SERVE } from "../../src/server/options.js";
import { ROLLBACK } from "../../src/upkeep/options.js";
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
    'validate: there is no option "keep", only jobs, strict, accept, signal, onProgress',
  ],
  [
    "a text for an array",
    (dir) => validate?.(dir, { accept: "file-unread" }),
    'validate: "accept" must be an array of codes of warnings, found "file-unread"',
  ],
  [
    "a wrong item of an array",
    (dir) => build?.(dir, { accept: ["file-unread", "file-unred"] }),
    'build: "accept[1]" must be the code of a warning, such as file-unread, found "file-unred"; did ' +
      'you mean "file-unread"?',
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
    expect(checkedOptions("build", { keep: undefined }, { keep: BUILD.keep })).toEqual({ keep: 3 });
  });

  const tables = { BUILD, SERVE, SAMPLE_OPTIONS, EXPORT, ROLLBACK };
  it.each(Object.entries(tables))("has a default that it accepts: %s", (_, table) => {
    for (const [name, { rule, usual }] of Object.entries(table)) {
      if (usual !== undefined) expect([name, rule.accepts(usual)]).toEqual([name, true]);
    }
  });

  it.each(Object.entries(tables))("has the name of its flag: %s", (_, table) => {
    for (const [name, { flag }] of Object.entries(table)) {
      if (flag === undefined) continue;
      expect(new Option(flag.flags).attributeName()).toBe(name);
    }
  });
});

it("an address is no store if no extra opens it", async () => {
  onTestFinished(() => installExtras(EXTRAS));
  installExtras([]);
  await expect(library.serve("s3://bucket")).rejects.toThrow(
    new TypeError('serve: "store" is an address, and no extra is installed that opens it'),
  );
});
