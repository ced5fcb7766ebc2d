import { z } from "zod";
import { parsedUrl } from "../../contract/host.js";

/** Maximum lengths of texts in characters (code points; docs/publishing.md#rules-for-all-files). */
export const LENGTHS = { name: 1_000, tagline: 2_000, description: 20_000, url: 2_048 } as const;

/** An address: http or https, without credentials (docs/publishing.md#rules-for-all-files). */
export const WebUrl = z
  .string()
  .refine(isWebUrl, "must be an http: or https: address without credentials")
  .refine(...atMost(LENGTHS.url))
  // The format "uri" does not fit: it allows no letters beyond ASCII.
  .meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://\\S+$", maxLength: LENGTHS.url });

/** A value that may be null, and may be left out. */
export const nullable = <T extends z.ZodType>(type: T) => type.nullable().default(null);
export const text = () => nullable(z.string());
export const boundedText = (max: number) =>
  nullable(
    z
      .string()
      .refine(...atMost(max))
      .meta({ maxLength: max }),
  );

/** An address to which paths are appended to build other addresses. */
export const BaseUrl = WebUrl.refine(
  (url) => !/\/$|[?#]/.test(url),
  "must not end in a slash or have a query or fragment",
).meta({ pattern: "^[Hh][Tt]{2}[Pp][Ss]?://[^\\s?#]*[^\\s?#/]$", maxLength: LENGTHS.url });

/** An https: address in which `{host}`, anywhere after its own host, stands for a listing's host. */
const ADDRESS_OF_HOST = /^[Hh][Tt]{2}[Pp][Ss]:\/\/[^\s{}/?#]+(?:[/?#](?:[^\s{}]|\{host\})*)?$/;
export const HostUrl = z
  .string()
  .refine(
    (url) => ADDRESS_OF_HOST.test(url) && isWebUrl(url.replaceAll("{host}", "a.example")),
    "must be an https: address without credentials, with no braces but {host} in its path or query",
  )
  .refine(...atMost(LENGTHS.url))
  .meta({ pattern: ADDRESS_OF_HOST.source.replaceAll("\\/", "/"), maxLength: LENGTHS.url });

/** A check for `refine` that limits a text's length, with its message for longer texts. */
export function atMost(max: number): [check: (text: string) => boolean, message: string] {
  const message = `must have at most ${String(max).replace(/(?=\d{3}$)/, ",")} characters`;
  // A code point takes at most two units, so the exact count is needed only for a few texts.
  const fits = (text: string) =>
    text.length <= max || (text.length <= 2 * max && Array.from(text).length <= max);
  return [fits, message];
}

export function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s]+$/i.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username === "" && url.password === "";
}

/** A schema inside another one. zod types it as a schema of its core; all of ours are made by `z`. */
export function innerType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new TypeError("the schema was not made by zod's classic interface");
}

/**
 * Relaxes one of the contract's schemas for publishers (docs/publishing.md#rules-for-all-files). In the schema's
 * object and all objects below it, a nullable key may be left out and becomes null; an array may be left out
 * and becomes empty. The output is the same as that of the contract's schema.
 */
export function lenient<T extends z.ZodType>(
  schema: T,
): z.ZodType<z.output<T>, Lenient<z.input<T>>> {
  return relaxed(schema) as z.ZodType<z.output<T>, Lenient<z.input<T>>>;
}

/** A type in which nullable keys and arrays may be left out, at any depth. */
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
