import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { BODIES } from "../../../src/contract/bodies.js";
import { isCanonicalHost } from "../../../src/contract/host.js";
import { ROUTE_NAMES, ROUTES } from "../../../src/contract/routes.js";
import { installedDescriptions } from "../../../src/extra.js";
import {
  at,
  everyValue,
  followed,
  type Json,
  PUBLISHER,
  servedDescription,
} from "../description.js";

const EXTENSIONS = await installedDescriptions();
const DOCUMENT = servedDescription({ ...PUBLISHER, extensions: true });
/** The reads of the contract and those beyond it, by their paths. */
const BY_PATH = new Map(
  [
    ...ROUTE_NAMES.map((name) => ({ ...ROUTES[name], body: BODIES[name] })),
    ...EXTENSIONS.map(({ route, body }) => ({ ...route, body })),
  ].map((read) => [read.path as string, read]),
);

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
// The components are all of the description that a validator needs; the rest is not JSON Schema.
ajv.addKeyword("components");
ajv.addSchema({ $id: "api:", components: DOCUMENT.components });

const compiled = new Map<string, ValidateFunction>();

/** What a validator holds against a value; none where the schema allows it. */
function errorsOf(schema: Json, value: unknown): string[] {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"api:#/');
  const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
  compiled.set(absolute, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors)];
}

const OPERATIONS = Object.entries(at(DOCUMENT, "paths")).flatMap(([path, item]) =>
  Object.keys(item as Json).map((method) => [method, path, at(item, method)] as const),
);

describe.each(OPERATIONS)("openapi.json, %s %s", (method, path, operation) => {
  const { body, errors } = BY_PATH.get(path)!;
  const statuses = method === "post" ? [...errors, 413, 415] : errors;

  it.runIf(method === "post")("the example of its body matches its schema", () => {
    const { schema, example } = at(operation, "requestBody", "content", "application/json");
    expect(errorsOf(schema as Json, example)).toEqual([]);
    expect(errorsOf(schema as Json, null)).not.toEqual([]);
  });

  it("the example of its answer matches its schema", () => {
    const media = Object.values(at(operation, "responses", "200", "content"))[0] as Json;
    const { schema, example } = media;
    if (body === null) {
      expect([schema, example]).toEqual([{ type: "string" }, undefined]);
      return;
    }
    expect(errorsOf(schema as Json, example)).toEqual([]);
    expect(errorsOf(schema as Json, null)).not.toEqual([]);
    expect(body.safeParse(example).error).toBeUndefined();
  });

  it("the examples of its errors match their schemas", () => {
    const responses = Object.entries(at(operation, "responses"));
    const errors = responses.filter(([status]) => Number(status) >= 400);
    expect(errors.map(([status]) => Number(status))).toEqual([...statuses, 414, 429].sort());
    for (const [, response] of errors) {
      const content = at(followed(DOCUMENT, response as Json), "content", "application/json");
      for (const { value } of Object.values(content.examples as Record<string, Json>)) {
        expect(errorsOf(content.schema as Json, value)).toEqual([]);
        expect(value).toMatchObject({ error: expect.stringMatching(/\.$/) });
      }
      expect(errorsOf(content.schema as Json, { message: "no error" })).not.toEqual([]);
    }
  });

  it("the example of each parameter matches its schema", () => {
    for (const { name, schema, example } of operation.parameters as readonly Json[]) {
      expect(errorsOf(schema as Json, example), String(name)).toEqual([]);
      expect(errorsOf(schema as Json, {}), String(name)).not.toEqual([]);
      if (name === "host" && !Array.isArray(example))
        expect(isCanonicalHost(String(example))).toBe(true);
    }
  });
});

it("the examples of 400 show an invalid value, an unknown name, and each of the reads", () => {
  const examples = at(DOCUMENT, "components", "responses", "BadRequest", "content");
  expect(Object.keys(at(examples, "application/json", "examples"))).toEqual([
    "search",
    "suggestions",
    "facets",
    "report",
    "enrichment",
  ]);
  expect(everyValue(examples, "path")).toEqual([
    ..."sort minScore q limit category[0] scan fresh".split(" "),
  ]);
});
