import { z } from "zod";
import { parsedUrl } from "../../contract/url.js";

/** Maximum lengths of texts in characters (code points) (published format, general rules). */
export const LENGTHS = { name: 1_000, tagline: 2_000, description: 20_000, url: 2_048 } as const;

/** An address: http or https, without credentials (published format, general rules). */
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
