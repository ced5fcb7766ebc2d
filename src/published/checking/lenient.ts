import { z } from "zod";
import { innerType } from "./inner-type.js";

/**
 * Relaxes one of the contract's schemas for publishers (published format, general rules). In the schema's
 * object and all objects below it, a nullable key may be left out and becomes null; an array may be left out
 * and becomes empty. The output is the same as that of the contract's schema.
 */
export function lenient<T extends z.ZodType>(
  schema: T,
): z.ZodType<z.output<T>, Lenient<z.input<T>>> {
  return relaxed(schema) as z.ZodType<z.output<T>, Lenient<z.input<T>>>;
}

/** A type of which, at any depth, nullable keys and arrays may be left out. */
type Lenient<T> = T extends readonly (infer Item)[]
  ? Lenient<Item>[]
  : T extends object
    ? { [K in keyof T as Omissible<T[K]> extends true ? never : K]: Lenient<T[K]> } & {
        [K in keyof T as Omissible<T[K]> extends true ? K : never]?: Lenient<T[K]>;
      }
    : T;

type Omissible<T> = null extends T ? true : T extends readonly unknown[] ? true : false;

/** One copy for each schema, so that a schema used twice is described once. */
const COPIES = new Map<z.ZodType, z.ZodType>();

function relaxed(schema: z.ZodType): z.ZodType {
  const made = COPIES.get(schema) ?? relaxedCopy(schema);
  COPIES.set(schema, made);
  return made;
}

function relaxedCopy(schema: z.ZodType): z.ZodType {
  const { id, ...meta } = schema.meta() ?? {};
  // The copy needs another name than the contract's schema; otherwise one description would stand for both.
  const named = id === undefined ? meta : { ...meta, id: `Published${id}` };
  const copy = copyOf(schema);
  return copy === schema || Object.keys(named).length === 0 ? copy : copy.meta(named);
}

function copyOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return relaxed(innerType(schema.unwrap())).nullable();
  if (schema instanceof z.ZodArray) return z.array(relaxed(innerType(schema.element)));
  if (!(schema instanceof z.ZodObject)) return schema;
  const shape = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return z.strictObject(Object.fromEntries(shape.map(([key, type]) => [key, relaxedKey(type)])));
}

function relaxedKey(schema: z.ZodType): z.ZodType {
  const type = relaxed(schema);
  if (schema instanceof z.ZodNullable) return type.default(null);
  return schema instanceof z.ZodArray ? type.default([]) : type;
}
