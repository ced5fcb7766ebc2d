/**
 * What the contract says of a value: some that it allows, some that it does not, and the JSON Schema
 * that says so, with nothing in it but rules.
 */
export interface Shape {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  readonly json: Readonly<Record<string, unknown>>;
  /** The key may be absent. */
  readonly optional?: true;
}

export const string: Shape = {
  good: ["text", "", "é🌦"],
  bad: [null, 1, true, ["text"], {}],
  json: { type: "string" },
};

export const uri: Shape = {
  ...string,
  good: ["https://example.com/a?b=c", "http://xn--bcher-kva.example"],
  json: { type: "string", format: "uri" },
};

export const slug: Shape = {
  good: ["a", "open-data", "x".repeat(80)],
  bad: [null, 1, "", "A", "a--b", "a_b", "x".repeat(81)],
  json: { type: "string", pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$", maxLength: 80 },
};

export const boolean: Shape = {
  good: [true, false],
  bad: [null, 0, 1, "true"],
  json: { type: "boolean" },
};

export const number: Shape = {
  good: [12.25, 0, -1.5],
  bad: [null, "1", true, Number.NaN, Number.POSITIVE_INFINITY],
  json: { type: "number" },
};

export const integer: Shape = {
  good: [7, 0, -7],
  bad: [null, 1.5, "1", true],
  json: { type: "integer" },
};

export function atLeast(minimum: number): Shape {
  return {
    good: [minimum, minimum + 1, 1_000_000_000_000],
    bad: [null, minimum - 1, minimum + 0.5, String(minimum)],
    json: { type: "integer", minimum },
  };
}

export function between(minimum: number, maximum: number): Shape {
  return {
    good: [minimum, maximum],
    bad: [null, minimum - 1, maximum + 1, minimum + 0.5, String(minimum)],
    json: { type: "integer", minimum, maximum },
  };
}

export const dateTime: Shape = {
  good: ["2026-08-09T03:31:12Z", "2026-08-09T03:31:12.123456+05:30", "2024-02-29T23:59:59-11:00"],
  bad: [
    null,
    1_786_246_272,
    "",
    "2026-08-09",
    "2026-08-09T03:31Z",
    "2026-08-09T03:31:12",
    "2026-08-09 03:31:12Z",
    "2026-02-29T00:00:00Z",
    "2026-08-09T24:00:00Z",
  ],
  json: { type: "string", format: "date-time" },
};

/** The constant 1, the version of what an object looks like. */
export const versionOne: Shape = {
  good: [1],
  bad: [null, 0, 2, "1", true],
  json: { type: "number", const: 1 },
};

export function oneOf(...values: readonly string[]): Shape {
  return {
    good: values,
    bad: [null, 1, "", "other", values[0]?.toUpperCase(), `${values[0]} `, "constructor"],
    json: { type: "string", enum: values },
  };
}

export const freeForm: Shape = {
  good: [{ any: { depth: [1, null, "x"] } }, {}],
  bad: [null, [], "x", 1],
  json: { type: "object", additionalProperties: true },
};

export function nullable(shape: Shape): Shape {
  return {
    good: [...shape.good, null],
    bad: shape.bad.filter((value) => value !== null),
    json: { anyOf: [shape.json, { type: "null" }] },
  };
}

export function optional(shape: Shape): Shape {
  return { ...shape, optional: true };
}

export function array(of: Shape): Shape {
  return {
    good: [[...of.good], []],
    bad: [null, "x", {}, of.good[0], ...of.bad.map((value) => [value])],
    json: { type: "array", items: of.json },
  };
}

/** All keys are required but the optional ones (contract section 2: "All keys listed are present"). */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  const full = Object.fromEntries(entries.map(([key, { good }]) => [key, good[0]]));
  const without = (key: string) =>
    Object.fromEntries(Object.entries(full).filter(([other]) => other !== key));
  const required = entries.filter(([, shape]) => !shape.optional).map(([key]) => key);
  const variants = (values: "good" | "bad") =>
    entries.flatMap(([key, shape]) => shape[values].map((value) => ({ ...full, [key]: value })));
  return {
    good: [full, ...variants("good")],
    bad: [null, [], "x", {}, ...required.map(without), ...variants("bad")],
    json: {
      type: "object",
      properties: Object.fromEntries(entries.map(([key, { json }]) => [key, json])),
      required,
    },
  };
}
