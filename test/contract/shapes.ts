/** What the contract says of a value: the JSON Schema that says so, with nothing in it but rules. */
export interface Shape {
  readonly json: Readonly<Record<string, unknown>>;
  /** The key may be absent. */
  readonly optional?: true;
}

export const string: Shape = { json: { type: "string" } };
export const uri: Shape = { json: { type: "string", format: "uri" } };
export const slug: Shape = {
  json: { type: "string", pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$", maxLength: 80 },
};
export const boolean: Shape = { json: { type: "boolean" } };
export const number: Shape = { json: { type: "number" } };
export const integer: Shape = { json: { type: "integer" } };
export const dateTime: Shape = { json: { type: "string", format: "date-time" } };
/** The constant 1, the version of what an object looks like. */
export const versionOne: Shape = { json: { type: "number", const: 1 } };
export const freeForm: Shape = { json: { type: "object", additionalProperties: true } };

export function atLeast(minimum: number): Shape {
  return { json: { type: "integer", minimum } };
}

export function between(minimum: number, maximum: number): Shape {
  return { json: { type: "integer", minimum, maximum } };
}

export function oneOf(...values: readonly string[]): Shape {
  return { json: { type: "string", enum: values } };
}

export function nullable({ json }: Shape): Shape {
  return { json: { anyOf: [json, { type: "null" }] } };
}

export function optional(shape: Shape): Shape {
  return { ...shape, optional: true };
}

export function array({ json }: Shape): Shape {
  return { json: { type: "array", items: json } };
}

/** All keys are required but the optional ones (docs/contract.md#21-values). */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return {
    json: {
      type: "object",
      properties: Object.fromEntries(entries.map(([key, { json }]) => [key, json])),
      required: entries.filter(([, shape]) => !shape.optional).map(([key]) => key),
    },
  };
}
