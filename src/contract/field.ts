import * as z from "zod";
import { LIMITS } from "./limits.js";
import { HOST, isObject, type OpenApiSchema, SCAN_ID, SLUG, type ValueKind } from "./values.js";

/**
 * Describes a property of an answer, of a published record or of a query: for JSON Schema, OpenAPI and the
 * declarations that editors show. An object or array of objects needs no example of its own: its example is
 * made of its properties' examples.
 */
export function field<T extends z.ZodType>(
  type: T,
  description: string,
  ...examples: (z.input<T> | z.output<T>)[]
): T {
  const own = examples.length > 0 ? examples : [derivedExample(type)];
  return type.meta({ description, examples: own });
}

export function textField(description: string, ...examples: string[]) {
  return field(z.string(), description, ...examples);
}

export function nullableText(description: string, ...examples: string[]) {
  return field(z.string().nullable(), description, ...examples);
}

/**
 * The first example of a type, or one made of its parts' examples without optional keys; undefined if the type has
 * neither.
 */
export function derivedExample(type: z.ZodType): unknown {
  const [first] = (type.meta()?.examples ?? []) as unknown[];
  if (first !== undefined) return first;
  if (
    type instanceof z.ZodNullable ||
    type instanceof z.ZodOptional ||
    type instanceof z.ZodDefault ||
    type instanceof z.ZodPrefault
  ) {
    return derivedExample(type.unwrap() as z.ZodType);
  }
  if (type instanceof z.ZodArray) return [derivedExample(type.element as z.ZodType)];
  if (!(type instanceof z.ZodObject)) return undefined;
  const parts = Object.entries(type.shape as Readonly<Record<string, z.ZodType>>);
  const required = parts.filter(([, part]) => !(part instanceof z.ZodOptional));
  return Object.fromEntries(required.map(([name, part]) => [name, derivedExample(part)]));
}

export const Slug = textOf(SLUG);
export const ScanId = textOf(SCAN_ID);
export const Host = textOf(HOST, "example.com");

/** A single check with a single message, so that a bad value is one violation, not two. */
function textOf({ read, message, schema }: ValueKind<string>, ...examples: string[]) {
  return z
    .string()
    .refine((text) => read(text) !== undefined, message)
    .meta(examples.length > 0 ? { ...schema, examples } : schema);
}

/** Whether a type is `Host`, under whatever description: a described type is a copy that names its original. */
export function isHost(type: z.core.$ZodType): boolean {
  const { parent } = type._zod;
  return type === Host || (parent !== undefined && isHost(parent));
}

const DATE_TIME_ERROR = "must be a date-time with seconds and offset, such as 2026-08-09T03:31:12Z";
/** RFC 3339 date-time. */
export const DateTime = z.iso
  .datetime({ offset: true, error: DATE_TIME_ERROR })
  .meta({ examples: ["2026-08-09T03:31:12.000Z"] });

export const Score = z.int().min(LIMITS.scoreMin).max(LIMITS.scoreMax);
export const Count = z.int().min(0);
/** Numbering from 1: versions, pages. */
export const Ordinal = z.int().min(1);

/** An object whose keys the contract leaves open; it passes through unchanged. */
export type FreeForm = Record<string, unknown>;
export const FreeForm = z
  .custom<FreeForm>(isObject, "must be an object")
  .meta({ type: "object", additionalProperties: true });

/** Changes a schema in place. @param type the zod type that it was made from */
type Adjust = (schema: OpenApiSchema, type: z.core.$ZodType) => void;

/**
 * Makes the JSON Schema of a type: draft 2020-12, limited to keywords that mean the same in draft-07, because many
 * generators and validators know only that one.
 * @param io whether the schema describes values before ("input") or after ("output") defaults
 * @param adjust called for each schema inside it, the inner ones first. Default: changes nothing
 */
export function jsonSchemaOf(
  type: z.ZodType,
  io: "input" | "output",
  adjust: Adjust = () => {},
): OpenApiSchema {
  return z.toJSONSchema(type, {
    target: "draft-2020-12",
    io,
    // The metadata of a free-form object already describes it.
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodCustom ? "any" : "throw"),
    override: ({ jsonSchema, zodSchema }) => {
      adjust(jsonSchema, zodSchema);
      listOfTuple(jsonSchema);
    },
  });
}

/** Describes a tuple as a list of its length. Draft-07 reads `items` beside `prefixItems` as a rule for every item. */
function listOfTuple(schema: OpenApiSchema): void {
  const { prefixItems } = schema;
  if (prefixItems === undefined) return;
  const members = prefixItems as OpenApiSchema[];
  delete schema.prefixItems;
  schema.items = sharedRules(members);
  schema.minItems = members.length;
  schema.maxItems = members.length;
}

/**
 * The rules that all schemas have in common. @throws TypeError if their types differ: no list describes such a tuple
 */
function sharedRules([first = {}, ...others]: readonly OpenApiSchema[]): OpenApiSchema {
  const shared = Object.entries(first).filter(([keyword, rule]) =>
    others.every((other) => JSON.stringify(other[keyword]) === JSON.stringify(rule)),
  );
  const rules = Object.fromEntries(shared);
  if (rules.type === undefined) throw new TypeError("a published tuple needs members of one type");
  return rules;
}
