import { openApiDocument, type Publisher } from "../../src/contract/openapi.js";
import { installedDescriptions } from "../../src/extra.js";

const EXTENSIONS = await installedDescriptions();

export const PUBLISHER: Publisher = {
  name: "Readable Web",
  baseUrl: "https://api.readable.example",
  description: "Websites by how well machines can read them.",
  contact: "mailto:editors@readable.example",
  license: "CC-BY-4.0",
  // The contract's part alone.
  extensions: false,
};

export type Json = Readonly<Record<string, unknown>>;

/** The description as a client gets it: its JSON, no more. */
export function servedDescription(publisher: Publisher = PUBLISHER): Json {
  return JSON.parse(JSON.stringify(openApiDocument(publisher, EXTENSIONS)));
}

/** What lies in a JSON document at a path of keys. @throws where there is nothing. */
export function at(document: unknown, ...keys: string[]): Json {
  let value = document;
  for (const key of keys) {
    value = (value as Json | undefined)?.[key];
  }
  if (value === undefined) throw new Error(`There is nothing at ${keys.join(" > ")}`);
  return value as Json;
}

/** Follows a reference to where it leads; a value that is none is what it is. */
export function followed(document: Json, value: Json): Json {
  const { $ref } = value;
  if (typeof $ref !== "string") return value;
  return followed(document, at(document, ...$ref.replace(/^#\//, "").split("/")));
}

/**
 * A schema's rules: references followed, annotations left out, and null always written as a second
 * branch, so that it can be compared with what the contract says.
 */
export function rulesOf(document: Json, schema: Json): Json {
  const { description, examples, ...rules } = followed(document, schema);
  const { type, properties, items, anyOf } = rules;
  if (Array.isArray(type)) {
    return { anyOf: type.map((one) => rulesOf(document, { ...rules, type: one })) };
  }
  return {
    ...rules,
    ...(properties === undefined ? {} : { properties: eachRules(document, properties as Json) }),
    ...(items === undefined ? {} : { items: rulesOf(document, items as Json) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map((one) => rulesOf(document, one)) } : {}),
  };
}

function eachRules(document: Json, schemas: Json): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([key, schema]) => [key, rulesOf(document, schema as Json)]),
  );
}

/** Every value of a key, anywhere in a JSON document. */
export function everyValue(document: unknown, key: string): unknown[] {
  if (typeof document !== "object" || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...everyValue(value, key),
  ]);
}
