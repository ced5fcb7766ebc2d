import { z } from "zod";

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

/** The first example of a type, or one made of its parts' examples; undefined if a part has none. */
function derivedExample(type: z.ZodType): unknown {
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
  return Object.fromEntries(
    Object.entries(type.shape).map(([name, part]) => [name, derivedExample(part as z.ZodType)]),
  );
}
