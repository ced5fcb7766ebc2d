import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { directoryContext } from "../../../src/compile/directory.js";
import { compileListing } from "../../../src/compile/listing.js";
import { BODIES } from "../../../src/contract/bodies.js";
import { SiteSummary } from "../../../src/contract/listing.js";
import { SMALL_TEXT } from "../../../src/input/checking/json.js";
import { publishedSchema } from "../../../src/input/checking/json-schema.js";
import { checkRecord } from "../../../src/input/checking/record.js";
import { listingChecks, scanChecks } from "../../../src/input/checking/rules.js";
import {
  DirectoryRecord,
  Listing,
  Scan,
  StandardsRecord,
  Taxonomy,
} from "../../../src/input/checking/schemas.js";
import { aListing, published, theDirectory, theStandards, theTaxonomy } from "../../fixtures.js";
import { repeated } from "../../slow.js";
import { PLACES, tinyDirectory } from "../tiny.js";
import { FULL_SCAN } from "./full-scan.js";

type Json = Record<string, unknown>;
type Step = string | number;

const FULL_LISTING: Json = {
  host: "alpha.example",
  url: "https://alpha.example/",
  name: null,
  status: "claimed",
  category: "animals",
  tags: ["free"],
  platforms: ["web"],
  entitlements: { history: true, fixPrompts: null },
  logoUrl: "https://alpha.example/logo.png",
};

const VALUES = [
  null,
  true,
  0,
  1,
  -1,
  2.5,
  101,
  2 ** 60,
  "",
  "x",
  "free",
  "Not A Slug",
  "2026-01-01T00:00:00Z",
  "https://x.example/",
  "pass",
  "moved",
  [],
  [null],
  {},
  { x: 1 },
  "2026-02-30T00:00:00Z",
  "ftp://x.example/",
  "HTTPS://exämple.com/ä",
  "localhost",
  "a/b",
  "https://{host}/x",
  "http://x.example/{host}",
  "https://x.example/{host}?{host}",
  "https://x.example/{site}",
  "https://x.example",
  "mailto:a@b.example",
];
const KEYS = ["x", "host", "status", "__proto__", "constructor", "statuss", "$schema"];

/** One change of a record: at some place, another value, a key more or less. */
const change = fc.record({
  turns: fc.array(fc.nat(20), { maxLength: 5 }),
  kind: fc.constantFrom("set", "remove", "add"),
  value: fc.constantFrom(...VALUES),
  key: fc.constantFrom(...KEYS),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(record: Json, { turns, kind, value: shared, key }: Change): void {
  const value = structuredClone(shared);
  let place: Json | unknown[] = record;
  let last: Step | undefined;
  for (const turn of turns) {
    const keys: string[] = Object.keys(place);
    if (keys.length === 0) break;
    const step: string = keys[turn % keys.length]!;
    const inner: unknown = Reflect.get(place, step);
    last = step;
    if (typeof inner !== "object" || inner === null) break;
    if (turn % 3 > 0) {
      place = inner as Json | unknown[];
      last = undefined;
    }
  }
  if (kind === "add" || last === undefined) {
    Object.defineProperty(place, Array.isArray(place) ? String(place.length) : key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  } else if (kind === "remove" && !Array.isArray(place)) delete place[last];
  else Reflect.set(place, last, value);
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const CONTEXT = directoryContext(theDirectory(), theStandards(), theTaxonomy());
const taxonomy = Taxonomy.parse(JSON.parse(String(tinyDirectory()[PLACES.taxonomy])));
const KINDS = [
  {
    name: "scan",
    full: FULL_SCAN,
    kind: scanChecks({ standards: null, taxonomy }),
    compiled: (scan: unknown) => compileListing(aListing(), published(scan as Scan), CONTEXT),
  },
  {
    name: "listing",
    full: FULL_LISTING,
    kind: listingChecks({ standards: null, taxonomy }),
    compiled: (listing: unknown) =>
      compileListing(listing as Listing, published(Scan.parse(FULL_SCAN)), CONTEXT),
  },
] as const;

/** The paths and messages that a record's text has, without their places. */
function saidOf(kind: (typeof KINDS)[number]["kind"], text: string) {
  const source = { file: "x.ndjson", line: 1, bytes: Buffer.from(text) };
  const { value, problems } = checkRecord<Listing | Scan>(kind, source);
  for (const { line, column } of problems) {
    expect(line).toBe(1);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(text.length);
  }
  const said = problems.map(({ path, message }) => `${path}  ${message}`);
  expect(new Set(said).size).toBe(said.length);
  return { value, said: said.toSorted() };
}

const RUNS = repeated(150, 1_500);

describe.each(KINDS)("any change of a $name", ({ full, kind, compiled }) => {
  it(
    "is refused where its schema or its rules refuse it, and nowhere else; what is good becomes " +
      "answers of the contract",
    () => {
      let refused = 0;
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
          const record = structuredClone(full);
          for (const one of changes) apply(record, one);
          const text = JSON.stringify(record);
          const parsed = JSON.parse(text) as Json;
          const result = kind.schema.safeParse(parsed);
          const good =
            result.success && [...kind.rules(parsed)].length === 0 && !text.includes('"__proto__"');
          const { value, said } = saidOf(kind, text);
          expect(said.length === 0).toBe(good);
          expect(value).toEqual(good ? result.data : null);
          const answers = good && compiled(value);
          if (answers) {
            BODIES.report.parse(JSON.parse(answers.report));
            BODIES.enrichment.parse(JSON.parse(answers.enrichment));
            if (answers.search) SiteSummary.parse(answers.search.summary);
          }
          refused += good ? 0 : 1;
        }),
        { numRuns: RUNS },
      );
      expect(refused).toBeGreaterThan(RUNS / 3);
      expect(refused).toBeLessThan(2 * RUNS - 10);
    },
  );

  it("is judged the same in a text so long that errors are counted one by one", () => {
    const blanks = " ".repeat(SMALL_TEXT);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const record = structuredClone(full);
        for (const one of changes) apply(record, one);
        const text = JSON.stringify(record);
        expect(saidOf(kind, text + blanks)).toEqual(saidOf(kind, text));
      }),
      { numRuns: repeated(25, 500) },
    );
  });

  it("leaves Object.prototype as it is", () => {
    const polluting = JSON.stringify(full).replace(
      "{",
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},',
    );
    expect(saidOf(kind, polluting).said).toHaveLength(2);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

const SCHEMAS = {
  directory: [DirectoryRecord, { ...theDirectory(), contact: null, claimUrl: null }],
  standards: [StandardsRecord, theStandards()],
  taxonomy: [Taxonomy, theTaxonomy()],
  listing: [Listing, FULL_LISTING],
  scan: [Scan, FULL_SCAN],
} as const;

it.each(Object.entries(SCHEMAS))(
  "the JSON Schema of %s takes what is taken, with $schema at its top, and nothing else",
  (name, [schema, full]) => {
    const isWritten = ajv.compile(publishedSchema(name as keyof typeof SCHEMAS));
    const takes = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
        const record = JSON.parse(JSON.stringify(full)) as Json;
        for (const one of changes) apply(record, one);
        const { $schema: _, ...written } = JSON.parse(JSON.stringify(record)) as Json;
        const { success } = schema.safeParse(written);
        const said = [isWritten(written), isWritten({ $schema: "x", ...written }), written];
        expect(said).toEqual([success, success, written]);
        takes[`${success}`] += 1;
      }),
      { numRuns: repeated(150, 3_000) },
    );
    expect(Math.min(takes.true, takes.false)).toBeGreaterThan(5);
  },
);
