import { Ajv, type AnySchema } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";

/** Keywords that only describe. Draft-07 ignores what is beside a reference, and these may be lost. */
const ANNOTATIONS = ["title", "description", "default", "example", "examples", "$comment"];
/** Keywords whose value is a schema, a list of schemas, or an object of schemas. */
const ONE = ["items", "additionalProperties", "propertyNames", "contains", "not"];
const LISTS = ["anyOf", "oneOf", "allOf"];
const TABLES = ["properties", "patternProperties", "$defs"];
/** The keywords that mean the same in draft-07 and in draft 2020-12. */
const COMMON = [
  ...ANNOTATIONS,
  ...ONE,
  ...LISTS,
  ...TABLES,
  "$schema",
  "$id",
  "$ref",
  "type",
  "enum",
  "const",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "required",
];

type Schema = Readonly<Record<string, unknown>>;

/** The keywords of a schema that one draft reads in another way than the other does, each with its place. */
export function draftKeywords(schema: unknown, place = "#"): string[] {
  if (typeof schema === "boolean") return [];
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return [`${place}: no schema`];
  }
  const keywords = Object.keys(schema);
  const misread = keywords.filter(
    (keyword) =>
      !COMMON.includes(keyword) ||
      ("$ref" in schema && keyword !== "$ref" && !ANNOTATIONS.includes(keyword)),
  );
  return [
    ...misread.map((keyword) => `${place}/${keyword}`),
    ...Object.entries(schema as Schema).flatMap(([keyword, value]) => {
      const inner = `${place}/${keyword}`;
      if (ONE.includes(keyword)) return draftKeywords(value, inner);
      if (!LISTS.includes(keyword) && !TABLES.includes(keyword)) return [];
      return Object.entries(value as Schema).flatMap(([name, one]) =>
        draftKeywords(one, `${inner}/${name}`),
      );
    }),
  ];
}

/** Lists what is wrong with a value. */
export type Check = (value: unknown) => string[];

/**
 * Makes a function that compiles schemas by both drafts, and refuses one with a keyword that they read differently.
 * @param shared the schemas that references lead to, by their addresses
 */
export function compilerOfBothDrafts(
  shared: Readonly<Record<string, AnySchema>> = {},
): (schema: Schema) => Check {
  const drafts = [Ajv, Ajv2020].map((Draft) => {
    const ajv = new Draft({ strict: true, allowUnionTypes: true });
    addFormats.default(ajv);
    // OpenAPI's own words, around and beside schemas.
    ajv.addVocabulary(["components", "example"]);
    for (const [address, one] of Object.entries(shared)) ajv.addSchema(one, address);
    return { name: Draft.name, ajv };
  });
  return ({ $schema: _, ...schema }) => {
    expect(draftKeywords(schema)).toEqual([]);
    const checks = drafts.map(({ name, ajv }): Check => {
      const validate = ajv.compile(schema);
      return (value) => (validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`]);
    });
    return (value) => checks.flatMap((check) => check(value));
  };
}
