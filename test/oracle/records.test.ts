import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerOf } from "./oracle.js";
import { loadRecords } from "./records.js";
import { byInstant, fold, instantOf } from "./text.js";
import { filesOf, inFolder, listing, scan } from "./tiny.js";

const one = (host: string) => JSON.stringify(listing(host));

test("format: .json and .ndjson in any folders, byte-order marks, empty lines, $schema; other names are ignored", () => {
  const files = {
    ...filesOf({}),
    "listings/all.ndjson": `\uFEFF${one("a.com")}\r\n\n  \n${one("b.com")}`,
    "listings/x/y/z.json": `\uFEFF${JSON.stringify(listing("c.com", { $schema: "s" }), null, 1)}`,
    "listings/x/z.JSON": one("d.com"),
    "listings/x/z.json.bak": one("e.com"),
    "scans/2026/01.ndjson": JSON.stringify(scan("a.com", "s1")),
    "scans/s.json": JSON.stringify(scan("a.com", "s2")),
    "scans/orphan.json": JSON.stringify(scan("gone.com", "s1")),
    "other/d.json": one("f.com"),
  };
  const records = inFolder(files, loadRecords);
  expect([...records.listings.keys()].sort()).toEqual(["a.com", "b.com", "c.com"]);
  expect([...records.scans.keys()]).toEqual(["a.com"]);
  expect(
    records.scans
      .get("a.com")
      ?.map(({ id }) => id)
      .sort(),
  ).toEqual(["s1", "s2"]);
});

test("format: links that lead out of the folder are not followed, a loop of links ends", () => {
  const records = inFolder({ ...filesOf({}), "listings/in/a.json": one("a.com") }, (folder) =>
    inFolder({ "b.json": one("b.com") }, (outside) => {
      symlinkSync(outside, join(folder, "listings/out"));
      symlinkSync(join(folder, "listings"), join(folder, "listings/in/loop"));
      symlinkSync("nowhere", join(folder, "listings/dangling.json"));
      return loadRecords(folder);
    }),
  );
  expect([...records.listings.keys()]).toEqual(["a.com"]);
});

test("format: defaults are applied, an unknown key of a contract's object throws", () => {
  const load = (given: object) =>
    inFolder({ ...filesOf({}), "listings/a.json": JSON.stringify(given) }, loadRecords);
  expect(
    load(listing("a.com", { entitlements: { highlight: true } })).listings.get("a.com"),
  ).toEqual({
    ...listing("a.com"),
    ...{ name: null, tagline: null, description: null, visibility: "listed", category: null },
    ...{ tags: [], platforms: [], hosting: null, linkRel: "nofollow", logoUrl: null },
    ...{ ogImageUrl: null, publishedScan: null },
    entitlements: { history: false, fixPrompts: 0, starterFiles: false, highlight: true },
  });
  expect(() => load(listing("a.com", { titel: "x" }))).toThrow("unknown key titel");
  expect(() => load({ host: "a.com" })).toThrow("required key");
});

test("contract 4: categories and tags are the active ones by order then slug, standards are in the tables' order", () => {
  const records = inFolder(filesOf({}), loadRecords);
  const text = (target: string) => JSON.stringify(answerOf(records, target).body);
  expect(text("/api/categories")).toBe(
    '{"data":[{"slug":"bare","name":"Bare","group":"topic","order":0},' +
      '{"slug":"art","name":"Art","group":"topic","order":1},' +
      '{"slug":"zoo","name":"Zoo","group":"topic","order":1}]}',
  );
  expect(text("/api/tags")).toBe(
    '{"data":[{"slug":"tz","name":"Tag Z","group":"g","order":0},' +
      '{"slug":"ta","name":"Tag A","group":"g","order":1},' +
      '{"slug":"tb","name":"Tag B","group":"g","order":1}]}',
  );
  const description = (id: string, name: string, overview: string, kind: string) =>
    `{"id":"${id}","name":"${name}","title":"T","version":1,"reviewedVersion":1,"reviewedOn":"2026-01-01"` +
    `,"specificationStatus":"stable","overview":"${overview}","whyItMatters":"w","whatWeCheck":"c","results":"r"` +
    `,"limitations":"l","sources":[],"sourceNote":null,"related":[],"kind":"${kind}","checkClass":"universal"` +
    ',"lifecycle":"active","block":null,"weight":1,"maxPoints":1}';
  expect(text("/api/standards")).toBe(
    '{"data":{"rubric":{"version":"v2","block1Points":60,"block2Points":40,"bands":[' +
      '{"band":"low","label":"Low","min":0,"max":49},{"band":"high","label":"High","min":50,"max":100}]}' +
      `,"badgeExamples":[],"checks":[${description("feed", "Feed", "Has a feed.", "capability")}` +
      `,${description("slow", "Slow", "Is slow.", "penalty")}` +
      `,${description("https", "HTTPS", "Is safe.", "achievement")}],"aiCrawlers":[],"crawlerCatalogue":[]}}`,
  );
});

test("decisions, Text matching: folding is NFC, each code point lower-cased by itself, final sigma as sigma", () => {
  expect(fold("A\u030A")).toBe("å");
  expect(fold("ΟΔΟΣ")).toBe("οδοσ");
  expect(fold("οδος")).toBe("οδοσ");
  expect(fold("İ")).toBe("i\u0307");
  expect(fold("\u0130\u0323")).toBe("ị\u0307");
  // Only the small letter has a composed form: the second NFC makes it.
  expect(fold("H\u0331")).toBe("\u1E96");
  expect(fold("\u212A")).toBe("k");
  expect(fold("ẞ")).toBe("ß");
  expect(fold("ſ")).toBe("ſ");
  expect(fold("𐐀")).toBe("𐐨");
  expect(fold("%_*\\'")).toBe("%_*\\'");
});

test("decisions, Order: instants are exact, at any precision, offset and year", () => {
  const order = (a: string, b: string) => Math.sign(byInstant(instantOf(a), instantOf(b)));
  expect(order("2026-01-01T00:00:00Z", "2026-01-01T02:30:00+02:30")).toBe(0);
  expect(order("2026-01-01T00:00:00Z", "2025-12-31T18:00:00-06:00")).toBe(0);
  expect(order("2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.10000000000Z")).toBe(0);
  expect(order("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z")).toBe(0);
  expect(order("2026-01-01T00:00:00.0000001Z", "2026-01-01T00:00:00.0000002Z")).toBe(-1);
  expect(order("2026-01-01T00:00:00.12Z", "2026-01-01T00:00:00.1Z")).toBe(1);
  expect(order("2026-01-01T00:00:00.12Z", "2026-01-01T00:00:00.2Z")).toBe(-1);
  expect(order("1969-12-31T23:59:59.9Z", "1970-01-01T00:00:00Z")).toBe(-1);
  expect(order("1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.1Z")).toBe(1);
  expect(order("0050-01-01T00:00:00Z", "1900-01-01T00:00:00Z")).toBe(-1);
  expect(order("2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z")).toBe(-1);
  expect(order("2026-01-01T00:00Z", "2026-01-01T00:00:00Z")).toBe(0);
  expect(() => instantOf("2026-01-01")).toThrow(RangeError);
});
