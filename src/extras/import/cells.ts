import { z } from "zod";
import { canonicalHostOf, parsedUrl } from "../../contract/host.js";
import { isObject } from "../../contract/values.js";
import {
  hiddenLosses,
  inexactNumber,
  isInexact,
  parseJsonText,
} from "../../input/checking/json.js";
import { type Finding, NO_FINDINGS, quote } from "../../input/checking/problem.js";
import type { ColumnField } from "./columns.js";

/** Words that other programs write for a cell without a value, and that a cell may also mean as they are. */
export const NULL_LIKE: readonly string[] = [
  ..."NULL null nan NaN None N/A #N/A undefined".split(" "),
];

/** Whether a cell is empty. @param words also stand for nothing */
export function isEmptyCell(cell: unknown, words: readonly string[]): boolean {
  if (cell === null || cell === undefined) return true;
  if (typeof cell !== "string") return false;
  const text = cell.trim();
  return text === "" || text === "\\N" || words.includes(text);
}

const TRUE = ["true", "t", "yes", "y", "1"];
const FALSE = ["false", "f", "no", "n", "0"];
const UNLIMITED = ["all", "unlimited"];
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
/** A time as SQL and others write it, perhaps without time of day, and its offset, perhaps without minutes. */
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?(?:\.\d+)?))? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * The value of a cell in the form that the field has in JSON. A value that does not fit stays as it is, for the message
 * of the check that follows.
 * @param cell not empty
 */
export function cellValue({ name, type }: ColumnField, cell: unknown): unknown {
  if (typeof cell !== "string") return otherValue(type, cell);
  const text = cell.trim();
  if (name === "host") return hostIn(text) ?? text;
  if (name === "finishedAt") return dateTime(text);
  if (name === "entitlements.fixPrompts" && UNLIMITED.includes(text.toLowerCase())) return null;
  if (type instanceof z.ZodBoolean) {
    const word = text.toLowerCase();
    return TRUE.includes(word) || (FALSE.includes(word) ? false : text);
  }
  if (type instanceof z.ZodNumber) return DECIMAL.test(text) ? Number(text) : text;
  return isTextType(type) ? text : jsonOr(text);
}

function isTextType(type: z.ZodType): boolean {
  return type instanceof z.ZodString || type instanceof z.ZodEnum;
}

/** SQL may export ids as numbers, and true and false as 1 and 0. */
function otherValue(type: z.ZodType, cell: unknown): unknown {
  if (type instanceof z.ZodString && typeof cell === "number") return String(cell);
  if (type instanceof z.ZodBoolean && (cell === 0 || cell === 1)) return cell === 1;
  return cell;
}

/** The canonical host of a host or a web address; null if there is none, or if it names a user. */
export function hostIn(text: string): string | null {
  const hasUser = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text);
  return hasUser ? null : canonicalHostOf(text);
}

/**
 * The address that a text of a host states: as it is written, or with https: if it has no scheme.
 * @returns null if the text says no more than the host
 */
export function addressIn(text: string, host: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const { hostname, href, host: withPort } = parsedUrl(`https://${text}`) ?? {};
  if (href === undefined) return null;
  const isBare = hostname?.replace(/\.$/, "") === host && withPort === hostname;
  return isBare && parsedUrl(href)?.pathname === "/" && !/[?#]/.test(href) ? null : href;
}

/** A date-time with an offset. Without one, it is taken as UTC. */
export function dateTime(text: string): string {
  const [, day, time = "00:00:00", zone = "Z"] = TIME.exec(text) ?? [];
  if (day === undefined) return text;
  const clock = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
  const digits = zone.replace(":", "");
  const offset = /^[zug]/i.test(zone) ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
  return `${day}T${clock}${offset}`;
}

function jsonOr(text: string): unknown {
  const json = parseJsonText(text);
  return "finding" in json ? text : json.value;
}

/** What reading a cell would round or drop, and numbers that are written with a comma. */
export function lossesIn({ name, type }: ColumnField, cell: unknown): readonly Finding[] {
  if (typeof cell !== "string" || isTextType(type)) return NO_FINDINGS;
  const text = cell.trim();
  const path = name.split(".");
  if (type instanceof z.ZodNumber) {
    if (isInexact(text)) return [inexactNumber(path, text)];
    if (!/^-?[\d.]*,[\d.,]*$/.test(text)) return NO_FINDINGS;
    const remedy = "write it with a point and without other marks, such as 1200.5";
    return [
      { code: "value-wrong", path, message: `found ${quote(text)}, which has a comma; ${remedy}` },
    ];
  }
  const json = parseJsonText(text);
  if ("finding" in json) return NO_FINDINGS;
  return hiddenLosses(json).map((one) => ({ ...one, path: [...path, ...one.path] }));
}

/** A record that may lack fields. */
export type PartialRecord = Record<string, unknown>;

/**
 * Writes the value of a field into a record. Objects are merged, one level deep.
 * @param value undefined if the cell is empty, which takes the field out
 */
export function setField(record: PartialRecord, { name }: ColumnField, value: unknown): void {
  const [key = "", inner] = name.split(".");
  const before = record[key];
  if (inner === undefined) {
    record[key] = isObject(value) && isObject(before) ? { ...before, ...value } : value;
  } else if (value !== undefined || isObject(before)) {
    const object: PartialRecord = { ...(isObject(before) ? before : {}), [inner]: value };
    if (value === undefined) delete object[inner];
    record[key] = object;
  }
  if (record[key] === undefined) delete record[key];
}
