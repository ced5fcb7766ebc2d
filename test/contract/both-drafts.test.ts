import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { jsonSchemaOf } from "../../src/contract/field.js";
import { publishedSchema } from "../../src/input/checking/json-schema.js";
import { PUBLISHED_RECORDS } from "../../src/input/locating/files.js";
import { compilerOfBothDrafts, draftKeywords } from "./both-drafts.js";
import { at, type Json, PUBLISHER, servedDescription } from "./description.js";

const DOCS = fileURLToPath(new URL("../../docs/json", import.meta.url));
const API = servedDescription({ ...PUBLISHER, extensions: true });
const compile = compilerOfBothDrafts();

/** All schemas of the description that are no components: those of parameters, headers and bodies. */
function* schemasIn(node: unknown, place: string): Generator<[string, Json]> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (/^examples?$/.test(key) || place === "#/components/schemas") continue;
    if (key === "schema") yield [`${place}/${key}`, value as Json];
    else yield* schemasIn(value, `${place}/${key}`);
  }
}

describe("a schema that is published means the same in draft-07 and in draft 2020-12", () => {
  it("openapi.json, its components", () => {
    const compileApi = compilerOfBothDrafts({ "api:": { components: API.components } });
    const names = Object.keys(at(API, "components", "schemas"));
    expect(names.length).toBeGreaterThan(30);
    for (const name of names) {
      expect(draftKeywords(at(API, "components", "schemas", name)), name).toEqual([]);
      compileApi({ $ref: `api:#/components/schemas/${name}` });
    }
  });

  it("openapi.json, its parameters, headers and bodies", () => {
    const schemas = [...schemasIn(API, "#")];
    expect(schemas.length).toBeGreaterThan(50);
    expect(schemas.flatMap(([place, schema]) => draftKeywords(schema, place))).toEqual([]);
  });

  it.each(PUBLISHED_RECORDS)("the record %s", (kind) => {
    compile(publishedSchema(kind));
  });

  it.each(readdirSync(DOCS))("docs/json/%s", (name) => {
    compile(JSON.parse(readFileSync(join(DOCS, name), "utf8")));
  });
});

describe("jsonSchemaOf", () => {
  it("describes a tuple as a list of its length, with the rules that its members share", () => {
    const pair = z.tuple([z.int().min(0).max(9), z.int().min(0)]);
    const { $schema: _, ...schema } = jsonSchemaOf(pair, "output");
    expect(schema).toEqual({
      type: "array",
      minItems: 2,
      maxItems: 2,
      items: { type: "integer", minimum: 0 },
    });
    const check = compile(schema);
    expect([[1, 2], [1], [1, 2, 3], [1, "2"]].map((value) => check(value).length)).toEqual([
      0, 2, 2, 2,
    ]);
    const mixed = z.tuple([z.string(), z.int()]);
    expect(() => jsonSchemaOf(mixed, "output")).toThrow("members of one type");
  });
});
