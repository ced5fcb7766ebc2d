import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { BODIES, ErrorBody, Issue } from "../../src/contract/bodies.js";
import { errorBody } from "../../src/contract/error.js";
import {
  Facets,
  Pagination,
  SiteSummary,
  Suggestion,
  TaxonomyEntry,
} from "../../src/contract/listing.js";
import { HistoryEntry, Report, ReportScan } from "../../src/contract/report.js";
import {
  AccessPolicy,
  Check,
  Enrichment,
  EnrichmentState,
  Fix,
  Observation,
  Prerender,
  SampledPages,
} from "../../src/contract/report-parts.js";
import { Band, CheckDescription, SourceLink, Standards } from "../../src/contract/standards.js";
import { someOf } from "../slow.js";
import { OBJECTS } from "./objects.js";
import { array, nullable, object } from "./shapes.js";

const SCHEMAS: Readonly<Record<string, z.ZodObject>> = {
  Pagination,
  TaxonomyEntry,
  SiteSummary,
  Suggestion,
  Facets,
  EnrichmentState,
  Enrichment,
  AccessFinding: AccessPolicy.shape.rows.element.shape.findings.element,
  AccessPolicy,
  Prerender,
  ReportScan,
  Check,
  Observation,
  SampledPages,
  Fix,
  HistoryEntry,
  Report,
  SourceLink,
  Band,
  CheckDescription,
  AiCrawler: Standards.shape.aiCrawlers.element,
  CrawlerRecord: Standards.shape.crawlerCatalogue.element,
  Standards,
  Issue,
  Error: ErrorBody,
};

const objectOf = (name: string) => object(OBJECTS[name] ?? {});

it("contract section 2: every object of the contract has a row here", () => {
  expect(Object.keys(SCHEMAS)).toEqual(Object.keys(OBJECTS));
});

describe.each(Object.keys(OBJECTS))("contract section 2, %s", (name) => {
  const schema = SCHEMAS[name] as z.ZodObject;
  const shape = objectOf(name);
  const full = shape.good[0] as Record<string, unknown>;

  it("has the contract's keys, in its order", () => {
    expect(Object.keys(schema.shape)).toEqual(Object.keys(OBJECTS[name] ?? {}));
  });

  it("a good object passes unchanged, including the order of its keys", () => {
    for (const value of shape.good) {
      expect(JSON.stringify(schema.parse(value))).toBe(JSON.stringify(value));
    }
  });

  it("every key that is not optional must be present, even if it may be null", () => {
    for (const key of Object.keys(OBJECTS[name] ?? {})) {
      const { [key]: _, ...rest } = full;
      const issues = schema.safeParse(rest).error?.issues ?? [];
      const expected = OBJECTS[name]?.[key]?.optional ? [] : [[key]];
      expect(issues.map(({ path }) => path)).toEqual(expected);
    }
  });

  it("a value of another type, out of its bounds or not in its enum is refused at its place", () => {
    for (const [key, { bad }] of Object.entries(OBJECTS[name] ?? {})) {
      expect(bad.length, key).toBeGreaterThan(0);
      for (const value of bad) {
        const read = schema.safeParse({ ...full, [key]: value });
        // A message is costly: there are thousands of values.
        const isRefused = read.error?.issues.some(({ path }) => path[0] === key) === true;
        if (!isRefused) expect.fail(`${key}: ${JSON.stringify(value)}`.slice(0, 300));
      }
    }
  });

  it("published format, general rules: an unknown key does not pass silently", () => {
    expect(schema.safeParse({ ...full, colour: "red" }).success).toBe(false);
  });

  it("a value that is not an object is refused", () => {
    for (const value of [null, undefined, [], [full], "x", 1, true]) {
      expect(schema.safeParse(value).success).toBe(false);
    }
  });
});

describe("contract section 4: the body of each read", () => {
  const [summary, pagination, suggestion] = ["SiteSummary", "Pagination", "Suggestion"].map(
    objectOf,
  );
  const data = (shape: ReturnType<typeof object>) => object({ data: shape });
  it.each([
    ["search", object({ data: array(summary!), pagination: pagination! })],
    ["facets", data(objectOf("Facets"))],
    ["report", data(objectOf("Report"))],
    ["enrichment", data(nullable(objectOf("Enrichment")))],
    ["standards", data(objectOf("Standards"))],
    ["categories", data(array(objectOf("TaxonomyEntry")))],
    ["tags", data(array(objectOf("TaxonomyEntry")))],
  ] as const)("%s", (name, shape) => {
    const body = BODIES[name];
    for (const value of shape.good) expect(body.parse(value)).toEqual(value);
    // Each schema's own bad values are tried above.
    for (const value of someOf(shape.bad, 150)) {
      if (body.safeParse(value).success) expect.fail(JSON.stringify(value).slice(0, 200));
    }
  });

  it("suggestions have at most 5 items", () => {
    const body = BODIES.suggestions;
    const item = suggestion!.good[0];
    expect(body.safeParse({ data: new Array(5).fill(item) }).success).toBe(true);
    expect(body.safeParse({ data: new Array(6).fill(item) }).success).toBe(false);
    for (const value of suggestion!.bad) {
      expect(body.safeParse({ data: [value] }).success).toBe(false);
    }
  });

  it("decisions, Typo tolerance: search and suggestions may propose up to 3 corrected queries", () => {
    const found = {
      search: { data: [], pagination: pagination!.good[0] },
      suggestions: { data: [] },
    };
    for (const name of ["search", "suggestions"] as const) {
      const body: z.ZodType = BODIES[name];
      for (const [didYouMean, good] of [
        [[], true],
        [["a", "b", "c"], true],
        [["a", "b", "c", "d"], false],
        [[1], false],
        ["a", false],
        [null, false],
      ]) {
        expect(body.safeParse({ ...found[name], didYouMean }).success).toBe(good);
      }
    }
    expect(BODIES.facets.safeParse({ data: {}, didYouMean: [] }).success).toBe(false);
  });
});

describe("contract section 7: the error body", () => {
  it("has issues only if there are any", () => {
    expect(errorBody("No.")).toEqual({ error: "No." });
    expect(errorBody("No.", [])).toEqual({ error: "No." });
    const issues = [{ path: "q", message: "is required" }];
    expect(errorBody("No.", issues)).toEqual({ error: "No.", issues });
    expect(ErrorBody.parse(errorBody("No.", issues))).toEqual({ error: "No.", issues });
  });
});
