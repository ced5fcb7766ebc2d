import type { z } from "zod";
import { ISSUES_MAX, type Issue } from "./error.js";
import { HOST_RULE, HOST_TEXT_MAX, isCanonicalHost, meantHost } from "./host.js";
import { LIMITS } from "./limits.js";

/** A JSON Schema of draft 2020-12, the draft that OpenAPI 3.1 uses. */
export type OpenApiSchema = z.core.JSONSchema.BaseSchema;

/** A kind of value that clients write as text. Requests are read with it; `schema` describes it in OpenAPI. */
export interface ValueKind<T> {
  /** Reads a decoded text. Returns undefined if the text is not such a value. */
  read(text: string): T | undefined;
  /** The rule for the value, as an issue states it. */
  readonly message: string;
  readonly schema: OpenApiSchema;
}

/** A text: trimmed, then `min` to `max` code points (docs/contract.md#32-reading-a-query-string). */
export function searchText(min: number, max: number): ValueKind<string> {
  return {
    read: (text) => {
      const trimmed = text.trim();
      const length = codePoints(trimmed);
      return length >= min && length <= max ? trimmed : undefined;
    },
    message: `must have ${min} to ${max} characters, not counting white space at its ends`,
    schema: { type: "string", minLength: min, maxLength: max },
  };
}

/** A whole number as clients write it: digits only, without a leading zero. */
export function integer(min: number, max: number): ValueKind<number> {
  return {
    read: (text) => {
      const number = /^(?:0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
    message: `must be a whole number from ${min} to ${max}`,
    schema: { type: "integer", minimum: min, maximum: max },
  };
}

/** One of a few words. */
export function oneOf<W extends string>(words: readonly W[]): ValueKind<W> {
  const isFew = words.length <= 2;
  return {
    read: (text) => words.find((word) => word === text),
    message: isFew ? `must be ${words.join(" or ")}` : `must be one of ${words.join(", ")}`,
    schema: { type: "string", enum: [...words] },
  };
}

/** Lowercase words joined by single hyphens (docs/contract.md#31-filters). */
export const SLUG: ValueKind<string> = pattern(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  `must be a slug: lowercase letters, digits and single hyphens, at most ${LIMITS.slugMax} characters`,
  { maxLength: LIMITS.slugMax, examples: ["open-data"] },
);

/** The query parameter `scan` of a report (docs/contract.md#14-a-report). */
export const SCAN_ID: ValueKind<string> = pattern(
  /^[a-zA-Z0-9_-]+$/,
  `must be a scan id: 1 to ${LIMITS.scanIdMax} letters, digits, _ and -`,
  { minLength: 1, maxLength: LIMITS.scanIdMax },
);

/** The name of a file in an exported tree. */
export const FILE_NAME: ValueKind<string> = pattern(
  /^[\w-][\w.-]*$/,
  "must be the name of a file",
  { maxLength: 100 },
);

export const HOST: ValueKind<string> = {
  read: (text) => (isCanonicalHost(text) ? text : undefined),
  message: HOST_RULE,
  schema: { type: "string", maxLength: LIMITS.hostMax },
};

/** A host in any spelling, or a web address whose host is meant. The text itself, trimmed, is the value. */
export const HOST_TEXT: ValueKind<string> = {
  read: (text) => {
    const trimmed = text.trim();
    return meantHost(trimmed) === null ? undefined : trimmed;
  },
  message: `must be a host such as example.org, or a web address that has one, of at most ${HOST_TEXT_MAX} characters`,
  schema: { type: "string", minLength: 1, maxLength: HOST_TEXT_MAX },
};

/** A text that matches `expression` and is not longer than the schema's `maxLength`. */
export function pattern(
  expression: RegExp,
  message: string,
  schema: OpenApiSchema & { readonly maxLength: number },
): ValueKind<string> {
  return {
    read: (text) => (text.length <= schema.maxLength && expression.test(text) ? text : undefined),
    message,
    schema: { type: "string", pattern: expression.source, ...schema },
  };
}

/** Whether a value of JSON is an object, not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** A host that a request asks about. */
export interface AskedHost {
  /** The text of the request. */
  readonly asked: string;
  /** The canonical host that the text means. */
  readonly host: string;
}

/** Reduces a text that `HOST_TEXT` accepts to its canonical host. */
export function askedHost(asked: string): AskedHost {
  return { asked, host: meantHost(asked) ?? asked };
}

/**
 * Reduces pasted addresses, and hosts in other spellings, to their canonical hosts.
 * @param name of the list, for issues
 * @returns the hosts in order, and the first issues: values that cannot be a host, or that the list has twice
 */
export function askedHosts(
  name: string,
  values: readonly unknown[],
): { readonly hosts: readonly AskedHost[]; readonly issues: readonly Issue[] } {
  const first = new Map<string, number>();
  const hosts: AskedHost[] = [];
  const issues: Issue[] = [];
  for (const [index, asked] of values.entries()) {
    // No answer names more. A text that is no host costs more than one that is.
    if (issues.length === ISSUES_MAX) break;
    const path = `${name}[${index}]`;
    const host = typeof asked === "string" ? meantHost(asked) : null;
    const before = host === null ? undefined : first.get(host);
    if (typeof asked !== "string" || host === null) {
      issues.push({ path, message: HOST_TEXT.message });
    } else if (before !== undefined) {
      issues.push({ path, message: `is the same host as ${name}[${before}]` });
    } else {
      first.set(host, index);
      hosts.push({ asked, host });
    }
  }
  return { hosts, issues };
}
