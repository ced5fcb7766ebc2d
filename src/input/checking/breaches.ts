import { z } from "zod";
import { Host, isHost } from "../../contract/field.js";
import { canonicalHostOf } from "../../contract/host.js";
import { isObject } from "../../contract/values.js";
import { describeValue, didYouMean, type Finding, type Path, quote } from "./problem.js";
import { innerType } from "./schemas.js";

/**
 * Yields the mistakes of a parsed value, one at a time, so that the caller can stop after those that it shows. zod
 * instead makes an object for each mistake before it returns: the 8 million that fit into a record of 16 MiB end the
 * process for lack of memory, and 1 million take 780 MB (here 140 MB) and ten times as long. This function walks
 * objects and arrays; zod checks all other values. It also words the messages.
 */
export function* breaches(
  schema: z.ZodType,
  value: unknown,
  path: Path = [],
): Generator<Finding, void> {
  const { type, nullable } = bareType(schema);
  if (value === null && nullable) return;
  if (type instanceof z.ZodArray && Array.isArray(value)) {
    const element = innerType(type.element);
    for (const [index, item] of value.entries()) {
      yield* breaches(element, item, [...path, index]);
    }
  } else if (type instanceof z.ZodObject && isObject(value)) {
    yield* objectBreaches(type.shape, value, path);
  } else if (type instanceof z.ZodArray || type instanceof z.ZodObject) {
    yield { code: "value-wrong", path, message: wrong(value, expectation(schema)) };
  } else {
    yield* leafBreaches(schema, type, value, path);
  }
}

function* objectBreaches(
  shape: Readonly<Record<string, z.ZodType>>,
  value: Readonly<Record<string, unknown>>,
  path: Path,
): Generator<Finding, void> {
  for (const [key, schema] of Object.entries(shape)) {
    if (Object.hasOwn(value, key)) {
      yield* breaches(schema, value[key], [...path, key]);
    } else if (!schema.safeParse(undefined).success) {
      const message = `is missing, expected ${expectation(schema)}`;
      yield { code: "field-missing", path: [...path, key], at: "object", message };
    }
  }
  for (const key in value) {
    if (Object.hasOwn(shape, key)) continue;
    const known = Object.keys(shape);
    const remedy =
      didYouMean(key, known) ||
      `; known keys here are ${known.map((name) => quote(name)).join(", ")}`;
    const message = `is not a known key${remedy}`;
    yield { code: "field-unknown", path: [...path, key], at: "key", message };
  }
}

/** @param type the schema without its defaults */
function* leafBreaches(
  schema: z.ZodType,
  type: z.ZodType,
  value: unknown,
  path: Path,
): Generator<Finding, void> {
  const { error } = type.safeParse(value);
  // zod has two issues for a number that is neither whole nor in range; our message covers both.
  const messages = new Set(
    error?.issues.map((issue) => {
      if (isHost(type) && typeof value === "string") return wrong(value, expectedHost(value));
      // A message that begins with "must" is the schema's own sentence; zod's messages are for developers.
      if (issue.message.startsWith("must be ")) return wrong(value, issue.message.slice(8));
      if (!issue.message.startsWith("must ")) return wrong(value, expectation(schema));
      return `found ${describeValue(value)}, which ${issue.message}`;
    }),
  );
  const code = isHost(type) && typeof value === "string" ? "host-not-canonical" : "value-wrong";
  for (const message of messages) yield { code, path, message };
}

function wrong(value: unknown, expected: string): string {
  return `found ${describeValue(value)}, expected ${expected}`;
}

function expectedHost(host: string): string {
  const canonical = canonicalHostOf(host);
  if (canonical === null) return expectation(Host);
  return `the canonical form ${quote(canonical)}`;
}

/** Describes the values that a schema accepts, in words. */
function expectation(schema: z.ZodType): string {
  const { type, nullable } = bareType(schema);
  return `${expectationOfType(type)}${nullable ? " or null" : ""}`;
}

function expectationOfType(type: z.ZodType): string {
  if (type instanceof z.ZodObject) return "an object";
  if (type instanceof z.ZodArray) return "an array";
  if (type instanceof z.ZodBoolean) return "true or false";
  if (type instanceof z.ZodEnum) return alternatives(type.options);
  if (type instanceof z.ZodLiteral) return alternatives([...type.values]);
  if (type instanceof z.ZodNumber) return expectationOfNumber(type);
  // The message of a refined string describes best what the string must be.
  const message = type.safeParse("").error?.issues[0]?.message ?? "";
  return message.startsWith("must be ") ? message.slice("must be ".length) : "a string";
}

function expectationOfNumber(type: z.ZodNumber): string {
  if (!type.isInt) return "a number";
  if (type.minValue === Number.MIN_SAFE_INTEGER) return "a whole number";
  return `a whole number from ${type.minValue} to ${type.maxValue}`;
}

function alternatives(values: readonly unknown[]): string {
  const named = values.map(describeValue);
  return named.length === 1 ? named.join() : `one of ${named.join(", ")}`;
}

/** A schema without its defaults, and whether it accepts null. */
export function bareType(schema: z.ZodType): { type: z.ZodType; nullable: boolean } {
  let type = schema;
  let nullable = false;
  while (
    type instanceof z.ZodDefault ||
    type instanceof z.ZodPrefault ||
    type instanceof z.ZodOptional ||
    type instanceof z.ZodNullable
  ) {
    nullable ||= type instanceof z.ZodNullable;
    type = innerType(type.unwrap());
  }
  return { type, nullable };
}
