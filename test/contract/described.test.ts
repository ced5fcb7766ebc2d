import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../src/contract/openapi.js";
import { installedDescriptions } from "../../src/extra.js";
import { publishedSchema } from "../../src/input/checking/json-schema.js";
import { PUBLISHED_RECORDS } from "../../src/input/locating/files.js";

type Schema = Record<string, unknown>;

const PUBLISHER = {
  name: "Directory",
  baseUrl: "https://api.directory.example",
  description: null,
  contact: null,
  license: null,
};
const api = openApiDocument(PUBLISHER, await installedDescriptions());
const SCHEMAS: [string, Schema][] = [
  ...PUBLISHED_RECORDS.map((kind): [string, Schema] => [kind, publishedSchema(kind)]),
  ["answers", { $id: "urn:crawldex:answers", components: api.components }],
];

/** All properties below a schema, each with its place as a JSON pointer. */
function* propertiesOf(node: unknown, pointer: string): Generator<[string, Schema]> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "examples" || key === "example") continue;
    const place = `${pointer}/${key}`;
    if (key === "properties") {
      for (const [name, property] of Object.entries(value)) {
        yield [`${place}/${name}`, property as Schema];
      }
    }
    yield* propertiesOf(value, place);
  }
}

describe("what editors and readers are told of each property", () => {
  it.each(SCHEMAS)("has a description and an example: %s", (_, schema) => {
    const properties = [...propertiesOf(schema, "#")];
    expect(properties.length).toBeGreaterThan(3);
    const undescribed = properties.filter(([, { description, examples }]) => {
      const isSentence = typeof description === "string" && /[.`]$/.test(description);
      return !isSentence || !Array.isArray(examples) || examples.length === 0;
    });
    expect(undescribed.map(([pointer]) => pointer)).toEqual([]);
  });

  it.each(SCHEMAS)("has examples that are valid themselves: %s", (_, schema) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(schema);
    const seen = new Set<string>();
    for (const [pointer, property] of propertiesOf(schema, "#")) {
      const text = JSON.stringify(property);
      if (seen.has(text)) continue;
      seen.add(text);
      const { examples } = property;
      const validate = ajv.getSchema(`${schema.$id}${encodeURI(pointer)}`);
      for (const example of examples as unknown[]) {
        expect(validate?.(example), `${pointer}: ${JSON.stringify(example)}`).toBe(true);
      }
    }
  });
});
