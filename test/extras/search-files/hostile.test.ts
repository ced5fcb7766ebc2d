import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/engine/answering.js";
import { openScanningEngine } from "../../../src/engine/engine.js";
import type { SearchDelta, SearchHead } from "../../../src/extras/search-files/format.js";
import { openSearchFiles } from "../../../src/extras/search-files/open.js";
import type { MadeFile } from "../../../src/extras/search-files/packs.js";
import { BadSnapshotError } from "../../../src/store/bad-snapshot.js";
import { aSearch, bodiesOf, RUBRIC, randomListings, VOCABULARY } from "../../engine/directory.js";
import { pick, seeded, whole } from "../../oracle/random.js";
import { repeated } from "../../slow.js";
import { publish, sourceOf } from "./source.js";

const base = publish(randomListings(11, 150));
const PUBLISHED = publish([...base.listings.slice(0, -1), ...others()], base, false, 0);

/** Listings that the base does not have, and one of the base with another score. */
function others() {
  const last = base.listings.at(-1)!;
  const hosts = new Set(base.listings.map(({ summary }) => summary.host));
  const added = randomListings(12, 40).filter(({ summary }) => !hosts.has(summary.host));
  return [{ ...last, summary: { ...last.summary, latestScore: 3 } }, ...added.slice(0, 5)];
}

const HOSTS = PUBLISHED.listings.slice(0, 3).map(({ summary }) => summary.host);

/** Answers for which an engine needs every kind of file. */
async function answers(engine: Engine): Promise<string[]> {
  const { search, suggest, facets } = bodiesOf(engine);
  const bodies = [
    await search(aSearch({ q: "o", limit: 100 })),
    await search(aSearch({ q: "rocket coffe lab maps", sort: "recent" })),
    await search(aSearch({ sort: "recent", limit: 50, tag: ["free"] })),
    await suggest({ q: "co" }),
    await suggest({ q: "open-data" }),
    await facets({ q: "a" }, RUBRIC),
    ...(await engine.summariesOf(HOSTS)),
  ];
  return bodies.map((body) => new TextDecoder().decode(body));
}

/** The answers of changed files; null if they were refused. Other errors are thrown. */
async function answersOf(
  files: readonly MadeFile[],
  checksSums: boolean,
): Promise<string[] | null> {
  try {
    const source = sourceOf({ ...PUBLISHED, files }, VOCABULARY);
    const engine = await openSearchFiles(source, checksSums);
    return engine && (await answers(engine));
  } catch (error) {
    if (error instanceof BadSnapshotError) return null;
    throw error;
  }
}

/** The files, with another content of the one at an index. */
function withBytes(at: number, bytes: Uint8Array, length?: number): MadeFile[] {
  return PUBLISHED.files.map((file, index) =>
    index === at ? { ...file, bytes, length: length ?? file.length } : file,
  );
}

/** The files, with other values in a JSON file. */
function withJson<T>(kind: "head" | "delta", change: (value: T) => unknown): MadeFile[] {
  const at = PUBLISHED.files.findIndex((file) => file.kind === kind);
  const value: T = JSON.parse(gunzipSync(PUBLISHED.files[at]!.bytes).toString());
  const text = Buffer.from(JSON.stringify(change(value)));
  return withBytes(at, gzipSync(text), text.length);
}

describe("damaged files", () => {
  it.each([true, false])("never change an answer (with sums: %s)", async (checksSums) => {
    const expected = await answers(openScanningEngine(PUBLISHED.segments, VOCABULARY));
    expect(await answersOf(PUBLISHED.files, checksSums)).toEqual(expected);
    const random = seeded(1);
    let refused = 0;
    const times = repeated(60, 1_500);
    for (let made = 0; made < times; made += 1) {
      const at = whole(random, 0, PUBLISHED.files.length - 1);
      const bytes = Uint8Array.from(PUBLISHED.files[at]!.bytes);
      bytes[whole(random, 0, bytes.length - 1)]! ^= 2 ** whole(random, 0, 7);
      const given = await answersOf(withBytes(at, bytes), checksSums);
      if (given === null) refused += 1;
      else expect(given).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(times / 4);
  });
});

describe("hostile files", () => {
  it("are refused or answered from, but cause no other error", async () => {
    const random = seeded(2);
    let refused = 0;
    for (let made = 0; made < repeated(100, 2_000); made += 1) {
      const at = pick(random, [...PUBLISHED.files.entries()].filter(isWhole))[0];
      const content = gunzipSync(PUBLISHED.files[at]!.bytes);
      for (let flips = whole(random, 1, 3); flips > 0; flips -= 1) {
        content[whole(random, 0, content.length - 1)] = whole(random, 0, 255);
      }
      const shown = content.subarray(0, content.length - pick(random, [0, 0, 1, 9]));
      const given = await answersOf(withBytes(at, gzipSync(shown), shown.length), false);
      if (given === null) refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
  });

  const HEADS: Record<string, (head: SearchHead) => unknown> = {
    "is null": () => null,
    "has no maps": ({ titles: _, ...head }) => head,
    "has more slots": (head) => ({ ...head, slots: head.slots + 8 }),
    "has a negative size": (head) => ({ ...head, titles: { ...head.titles, sizes: [-1] } }),
    "has sizes that its file does not": (head) => ({
      ...head,
      rows: { ...head.rows, sizes: head.rows.sizes.map((size) => size + 1) },
    }),
    "has no guides": (head) => ({ ...head, rows: { ...head.rows, guides: [] } }),
    "has no texts": (head) => ({ ...head, rows: { ...head.rows, texts: null } }),
    "lacks a text": (head) => ({
      ...head,
      rows: { ...head.rows, texts: head.rows.texts.slice(0, -1) },
    }),
    "has other packs": (head) => ({ ...head, packs: { ...head.packs, maps: [1] } }),
  };
  it.each(Object.entries(HEADS))("are refused if the head %s", async (_, change) => {
    expect(await answersOf(withJson("head", change), false)).toBeNull();
  });

  const DELTAS: Record<string, (delta: SearchDelta) => unknown> = {
    "is a text": () => "delta",
    "lacks a listing": (delta) => ({ ...delta, added: delta.added.slice(1) }),
    "has listings in another order": (delta) => ({ ...delta, added: delta.added.toReversed() }),
    "has a changed slot twice": (delta) => ({ ...delta, changed: [1, 1] }),
    "has an unknown slot": (delta) => ({ ...delta, changed: [2 ** 31] }),
    "has no news": (delta) => ({ ...delta, news: { sizes: [] } }),
  };
  it.each(Object.entries(DELTAS))("are refused if the delta %s", async (_, change) => {
    expect(await answersOf(withJson("delta", change), false)).toBeNull();
  });

  it("are not used if they have another format, or if there are none", async () => {
    const others = withJson<SearchHead>("head", (head) => ({ ...head, format: 1 }));
    for (const files of [others, []]) {
      const source = sourceOf({ ...PUBLISHED, files }, VOCABULARY);
      expect(await openSearchFiles(source, true)).toBeNull();
    }
  });
});

/** Whether a file is read whole: a piece of a pack has a size in the head. */
function isWhole([, { kind }]: [number, MadeFile]): boolean {
  return !["maps", "rows", "news", "base", "sums"].includes(kind);
}
