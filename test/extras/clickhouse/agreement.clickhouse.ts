import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clickHouseEngine } from "../../../src/extras/clickhouse/open.js";
import { build } from "../../../src/publish/build.js";
import { type LoadedSnapshot, loadSnapshot } from "../../../src/server/load-snapshot.js";
import { questionsAbout } from "../../fetch/questions.js";
import { temporaryFolder, writeFiles } from "../../fixtures.js";
import { casedDirectory } from "../../oracle/cased.js";
import { expectAgreement } from "../../oracle/disagreement.js";
import { chance, pick, seeded, whole } from "../../oracle/random.js";
import { loadRecords, type Records } from "../../oracle/records.js";
import { pieceOf } from "../../oracle/request-text.js";
import { randomRequest } from "../../oracle/requests.js";
import { publishedFiles, scannedOnce } from "../../oracle/tiny.js";
import { REAL } from "../../real.js";
import { ask, differences } from "./answers.js";
import { needServer, startClickHouse } from "./server.js";

const SEED = Number(process.env.SEED ?? 20_261_126);
/** What is asked for: with `CLICKHOUSE_RUN=ci`, a twentieth of it. */
const SHARE = process.env.CLICKHOUSE_RUN === "ci" ? 1 / 20 : 1;
const REQUESTS = Math.ceil(2_000 * SHARE);
const TEXTS = Math.ceil(2_000 * SHARE);
const HOSTS = Math.ceil(20 * SHARE);

let server: Awaited<ReturnType<typeof startClickHouse>>;
let records: Records;
let store: string;
let id: string;
let inMemory: LoadedSnapshot;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startClickHouse();
  if ("missing" in server) return;
  cleanUps.push(server.stop);
  records = loadRecords(REAL.folder);
  store = join(await temporaryFolder((cleanUp) => cleanUps.push(cleanUp)), "store");
  ({ id } = await build(REAL.folder, { store, jobs: 1 }));
  inMemory = await loadSnapshot(store, id);
  cleanUps.push(inMemory.close);
});

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** Texts that mean something to SQL, to patterns, to the protocol or to Unicode. */
const HOSTILE = [
  ..."% _ \\ ' \" ` ; -- /* \\% \\_ %% __ \\\\ '' {q:String} $q \\N \\0 \\x41 \\' ? ?? [a] NULL".split(
    " ",
  ),
  "\0",
  "a\0b",
  "\0\0",
  "\t",
  "a\tb",
  "\n",
  "a\nb",
  "\r\n",
  "\u{ffff}",
  "\u{feff}",
  "\u{1}",
  "e\u0301",
  "\u0301",
  "é",
  "\u{1f469}\u200d\u{1f4bb}",
  "\u{10428}",
  "\u{20bb7}",
  "İ",
  "istanbul",
  "i\u0307\u0307",
  "ß",
  "ς",
  "ſ",
  "K",
  "日本",
  "\u{10ffff}",
  "a".repeat(120),
  "%".repeat(120),
  "'".repeat(120),
];

describe("an engine in ClickHouse", () => {
  it(`gives every answer of the engine in memory, SEED=${SEED}`, async (context) => {
    const { address } = needServer(context, server);
    const other = await loadSnapshot(store, id, {
      makeEngine: clickHouseEngine(address, () => {}),
    });
    cleanUps.push(other.close);
    const random = seeded(SEED);
    const questions = questionsAbout(records, random, { drawn: REQUESTS, hosts: HOSTS });
    const targets = [
      ...questions.filter(({ method }) => method === "GET").map(({ target }) => target),
      ...HOSTILE.flatMap((text) => requestsFor(text)),
      ...Array.from({ length: TEXTS }, () => pick(random, requestsFor(someText(random)))),
      ...["score", "score-asc", "host", "recent"].flatMap((sort) =>
        [1, 2, 7, 14, 15, 10_000].map((page) => `/api/sites?sort=${sort}&page=${page}&limit=100`),
      ),
      ...["", "&band=readable", "&minScore=20&maxScore=60&category=health", "&q=data"].map(
        (more) => `/api/sites/facets?include=scores${more}`,
      ),
    ];
    expect(await differences(inMemory, other, targets)).toEqual([]);
    expect(targets.length).toBeGreaterThan(REQUESTS / 2 + TEXTS);
  });

  it("agrees with the oracle on random requests to the real directory", async (context) => {
    const { address } = needServer(context, server);
    const random = seeded(SEED + 1);
    const targets = Array.from({ length: REQUESTS }, () => randomRequest(random, records));
    await expectAgreement(REAL.folder, records, targets, {
      makeEngine: clickHouseEngine(address, () => {}),
    });
  });

  it("finds hostile texts where listings have them, and nowhere else", async (context) => {
    const { address } = needServer(context, server);
    const listings = HOSTILE.filter((text) => !/[\p{Cc}\p{Cn}]/u.test(text)).map((text, at) => {
      const padded = `x${text}y`.slice(0, 100);
      return [`${at}.example.com`, { name: at % 2 === 0 ? padded : null, tagline: `${text} end` }];
    });
    const hostile = scannedOnce(Object.fromEntries(listings));
    const folder = await temporaryFolder();
    await writeFiles(folder, publishedFiles(hostile));
    const targets = HOSTILE.flatMap((text) => requestsFor(text));
    await expectAgreement(folder, hostile, targets, {
      makeEngine: clickHouseEngine(address, () => {}),
    });
  });

  it("finds pieces of texts in any case and form", async (context) => {
    const { address } = needServer(context, server);
    const { records: cased, targets } = casedDirectory(seeded(SEED + 2), Math.ceil(300 * SHARE));
    const folder = await temporaryFolder();
    await writeFiles(folder, publishedFiles(cased));
    await expectAgreement(folder, cased, targets, {
      makeEngine: clickHouseEngine(address, () => {}),
    });
  });

  it("corrects words of any script as the engine in memory does", async (context) => {
    const { address, own } = needServer(context, server);
    // Letters outside of the basic plane take two units of UTF-16.
    const names = ["𐐨𐐩𐐪𐐫𐐬 𠮷𠮷𠮷 end", "cafe\u0301teria 𐐨𐐩𐐪𐐫𐐬", "👩‍💻 naïveté 日本語日本語"];
    const listings = names.map((name, at) => [
      `${at}.example.com`,
      { name, tagline: `${name}${at} weather` },
    ]);
    const folder = await temporaryFolder();
    await writeFiles(folder, publishedFiles(scannedOnce(Object.fromEntries(listings))));
    const built = await build(folder, { store: join(folder, "store"), jobs: 1 });
    const one = await loadSnapshot(join(folder, "store"), built.id);
    const other = await loadSnapshot(join(folder, "store"), built.id, {
      makeEngine: clickHouseEngine(address, () => {}),
    });
    cleanUps.push(one.close, other.close);
    const typos = [
      "𐐨𐐩𐐪𐐫",
      "𐐨𐐩𐐫𐐪𐐬",
      "𠮷𠮷",
      "𠮷𠮷𠮷𠮷",
      "cafteria",
      "naivete",
      "日本語日語",
      "example con",
      "wether",
    ];
    const targets = typos.flatMap((text) => requestsFor(text));
    expect(await differences(one, other, targets)).toEqual([]);
    const proposed = await Promise.all(
      typos.map((q) => ask(other, `/api/sites?q=${encodeURIComponent(q)}`)),
    );
    const texts = proposed.map(({ body }) => Buffer.from(body ?? []).toString());
    expect(texts.filter((text) => text.includes('"didYouMean":["')).length).toBeGreaterThan(4);
    if (own === null) return;
    const { statements } = await own.control({});
    await ask(other, "/api/sites?q=wether");
    // Known words are not looked up.
    expect((await own.control({})).statements).toBe(statements + 1);
  });
});

/** Requests that look for a text. */
function requestsFor(text: string): string[] {
  const q = encodeURIComponent(text);
  return [
    `/api/sites?q=${q}`,
    `/api/sites?q=${q}&sort=host&status=unclaimed&limit=5`,
    `/api/sites/suggestions?q=${q}`,
    `/api/sites/facets?q=${q}&include=scores`,
  ];
}

/** One to five characters of a listing's host, name or tagline, or of anything. */
function someText(random: () => number): string {
  const { host, name, tagline } = pick(random, [...records.listings.values()]);
  const text = pieceOf(random, pick(random, [host, name ?? host, tagline ?? host]), 1, 5);
  if (chance(random, 0.8)) return text;
  const point = pick(random, [whole(random, 0, 0x7f), whole(random, 0x80, 0xd7ff), 0x1f600]);
  return text.slice(0, 3) + String.fromCodePoint(point);
}
