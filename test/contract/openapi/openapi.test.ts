import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../src/contract/openapi.js";
import { FILTERS_BEYOND } from "../../facets.js";
import { at, everyValue, followed, PUBLISHER, rulesOf, servedDescription } from "../description.js";
import { OBJECTS } from "../objects.js";
import { array, nullable, object, optional, type Shape, string } from "../shapes.js";

const DOCUMENT = servedDescription();

const SLUG = { type: "string", pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$", maxLength: 80 };
const SCORE = { type: "integer", minimum: 0, maximum: 100 };
const TEXT = (minLength: number) => ({ type: "string", minLength, maxLength: 120 });
const SLUGS = (maxItems: number) => ({ type: "array", items: SLUG, minItems: 1, maxItems });

const FILTERS = {
  q: TEXT(1),
  category: SLUGS(10),
  tag: SLUGS(10),
  platform: SLUGS(10),
  capability: SLUGS(10),
  band: SLUGS(4),
  ...Object.fromEntries(FILTERS_BEYOND.map((name) => [name, SLUGS(10)])),
  status: { type: "string", enum: ["unclaimed", "claimed"] },
  minScore: SCORE,
  maxScore: SCORE,
};
/** Beyond the contract. */
const INCLUDE = { type: "string", enum: ["scores"] };
const INCLUDE_SITE = { type: "string", enum: ["scores", "site"] };
const HOST = { type: "string", maxLength: 253 };
const SCAN = { type: "string", pattern: "^[a-zA-Z0-9_-]+$", minLength: 1, maxLength: 128 };

const DIRECTORY = "public, max-age=0, s-maxage=60, must-revalidate";
const CATALOGUE = "public, max-age=60";

const of = (name: string) => object(OBJECTS[name] ?? {});
const corrections: Shape = { ...array(string), json: { ...array(string).json, maxItems: 3 } };
const suggestions: Shape = { ...string, json: { ...array(of("Suggestion")).json, maxItems: 5 } };
const entries = object({ data: array(of("TaxonomyEntry")) });

interface Row {
  readonly path: string;
  /** Path parameters first; `!` marks a required one. */
  readonly parameters: Readonly<Record<string, object>>;
  readonly errors: readonly string[];
  readonly cache: string;
  readonly type?: string;
  readonly body?: Shape;
}

/** The reads, with their errors and their caching (docs/contract.md#1-the-nine-reads). */
const READS: readonly Row[] = [
  {
    path: "/api/sites",
    parameters: {
      ...FILTERS,
      sort: { type: "string", enum: ["score", "score-asc", "host", "recent"], default: "score" },
      page: { type: "integer", minimum: 1, maximum: 10_000, default: 1 },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 24 },
    },
    errors: ["400", "502", "503"],
    cache: DIRECTORY,
    body: object({
      data: array(of("SiteSummary")),
      pagination: of("Pagination"),
      didYouMean: optional(corrections),
    }),
  },
  {
    path: "/api/sites/suggestions",
    parameters: { "q!": TEXT(2), include: INCLUDE_SITE },
    errors: ["400", "502", "503"],
    cache: DIRECTORY,
    body: object({ data: suggestions, didYouMean: optional(corrections) }),
  },
  {
    path: "/api/sites/facets",
    parameters: { ...FILTERS, include: INCLUDE },
    errors: ["400", "502", "503"],
    cache: DIRECTORY,
    body: object({ data: of("Facets") }),
  },
  {
    path: "/api/sites/{host}/report",
    parameters: { "host!": HOST, scan: SCAN },
    errors: ["400", "403", "404", "502", "503"],
    cache: DIRECTORY,
    body: object({ data: of("Report") }),
  },
  {
    path: "/api/sites/{host}/enrichment",
    parameters: { "host!": HOST },
    errors: ["400", "404", "502", "503"],
    cache: "no-cache",
    body: object({ data: nullable(of("Enrichment")) }),
  },
  {
    path: "/api/standards",
    parameters: {},
    errors: ["502", "503"],
    cache: CATALOGUE,
    body: object({ data: of("Standards") }),
  },
  {
    path: "/api/categories",
    parameters: {},
    errors: ["502", "503"],
    cache: CATALOGUE,
    body: entries,
  },
  { path: "/api/tags", parameters: {}, errors: ["502", "503"], cache: CATALOGUE, body: entries },
  { path: "/api/openapi.json", parameters: {}, errors: ["502", "503"], cache: CATALOGUE },
  {
    path: "/.well-known/api-catalog",
    parameters: {},
    errors: ["502", "503"],
    cache: CATALOGUE,
    type: "application/linkset+json",
  },
];

it("the description has every address of the contract, and no other", () => {
  expect(Object.keys(at(DOCUMENT, "paths"))).toEqual(READS.map(({ path }) => path));
  for (const path of Object.values(at(DOCUMENT, "paths"))) {
    expect(Object.keys(path as object)).toEqual(["get"]);
  }
});

describe.each(READS)("$path", ({ path, parameters, errors, cache, ...row }) => {
  const operation = at(DOCUMENT, "paths", path, "get");
  const described = operation.parameters as readonly Record<string, unknown>[];
  const answer = (status: string) => followed(DOCUMENT, at(operation, "responses", status));
  const header = (status: string, name: string) =>
    followed(DOCUMENT, at(answer(status), "headers", name));

  it("has each parameter with its place and bounds, and no other", () => {
    const rows = described.map(({ name, required, schema }) => [
      required === true ? `${name}!` : name,
      rulesOf(DOCUMENT, schema as object as Record<string, unknown>),
    ]);
    expect(Object.fromEntries(rows)).toEqual(parameters);
    expect(described).toHaveLength(Object.keys(parameters).length);
    for (const { name, in: place, description, example } of described) {
      expect(place).toBe(name === "host" ? "path" : "query");
      expect(description, String(name)).toMatch(/^.{10,}\.$/);
      expect(example, String(name)).toBeDefined();
    }
  });

  it("writes repeated parameters as name=a&name=b", () => {
    for (const { name, style, explode, schema } of described) {
      const repeated = (schema as { type: string }).type === "array";
      const expected = repeated ? { style: "form", explode: true } : {};
      expect({ style, explode }, String(name)).toEqual(expected);
    }
  });

  it("answers 200, 304, the errors of its row, 414 and 429, and no other", () => {
    const statuses = ["200", "304", ...errors, "414", "429"].sort();
    expect(Object.keys(at(operation, "responses"))).toEqual(statuses);
  });

  it("every error has the error body", () => {
    for (const status of errors) {
      const content = at(answer(status), "content");
      expect(Object.keys(content)).toEqual(["application/json"]);
      expect(at(content, "application/json", "schema")).toEqual({
        $ref: "#/components/schemas/Error",
      });
      expect(Object.keys(at(content, "application/json", "examples")).length).toBeGreaterThan(0);
    }
  });

  it("errors carry no-store, and 503 alone a Retry-After in seconds", () => {
    for (const status of errors) {
      expect(header(status, "Cache-Control").example).toBe("no-store");
      const names = Object.keys(at(answer(status), "headers"));
      expect(names.includes("Retry-After")).toBe(status === "503");
    }
    expect(at(header("503", "Retry-After"), "schema")).toEqual({ type: "integer", minimum: 0 });
  });

  it("200 and 304 carry ETag, Cache-Control and Vary, 304 no body", () => {
    for (const status of ["200", "304"]) {
      expect(header(status, "ETag").example).toMatch(/^"[^"]+"$/);
      expect(header(status, "Cache-Control").example).toBe(cache);
      expect(header(status, "Vary").example).toBe("Accept-Encoding");
    }
    expect(answer("304")).not.toHaveProperty("content");
    const relation = path === "/.well-known/api-catalog" ? "api-catalog" : "describedby";
    expect(header("200", "Link").example).toContain(`rel="${relation}"`);
  });

  it("its body is a component that matches the contract", () => {
    const { type = "application/json", body } = row;
    expect(Object.keys(at(answer("200"), "content"))).toEqual([type]);
    const schema = at(answer("200"), "content", type, "schema");
    expect(Object.keys(schema)).toEqual(["$ref"]);
    const rules = rulesOf(DOCUMENT, schema);
    if (body) expect(rules).toEqual(body.json);
    else expect(rules).toMatchObject({ type: "object" });
  });
});

describe("components", () => {
  it.each(Object.keys(OBJECTS))("%s has the contract's keys, nulls, enums and bounds", (name) => {
    const schema = at(DOCUMENT, "components", "schemas", name);
    expect(rulesOf(DOCUMENT, schema)).toEqual(of(name).json);
    expect(Object.keys(at(schema, "properties"))).toEqual(Object.keys(OBJECTS[name] ?? {}));
  });

  it("response objects may gain fields", () => {
    const closed = everyValue(at(DOCUMENT, "components"), "additionalProperties");
    expect(closed).not.toContain(false);
    expect(closed.length).toBeGreaterThan(0);
  });

  it("are sorted by name, in whatever order they were imported", () => {
    const names = Object.keys(at(DOCUMENT, "components", "schemas"));
    expect(names.length).toBeGreaterThan(Object.keys(OBJECTS).length);
    expect(names).toEqual(names.toSorted());
  });

  it("every reference leads somewhere", () => {
    const references = everyValue(DOCUMENT, "$ref");
    expect(references.length).toBeGreaterThan(100);
    for (const $ref of references) expect(followed(DOCUMENT, { $ref })).toBeTypeOf("object");
  });
});

it("the same publisher gives the same bytes, and its object is not changed", () => {
  const publisher = Object.freeze({ ...PUBLISHER });
  const first = JSON.stringify(openApiDocument(publisher));
  expect(JSON.stringify(openApiDocument({ ...PUBLISHER }))).toBe(first);
});
