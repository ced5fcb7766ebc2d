import { z } from "zod";
import { DateTime } from "../../contract/field.js";
import { canonicalHostOf, parsedUrl } from "../../contract/host.js";
import { isObject } from "../../contract/values.js";
import {
  hiddenLosses,
  inexactNumber,
  isInexact,
  parseJsonText,
} from "../../input/checking/json.js";
import { type Finding, type Path, quote } from "../../input/checking/problem.js";
import type { Field } from "./columns.js";
import type { PartialRecord } from "./documents.js";

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
 * @param say receives what reading the cell would round or drop, and numbers that are written with a comma
 */
export function cellValue(
  { name, type }: Field,
  cell: unknown,
  say: (finding: Finding) => void,
): unknown {
  // SQL may export ids as numbers, and true and false as 1 and 0.
  if (type instanceof z.ZodString && typeof cell === "number") return String(cell);
  if (type instanceof z.ZodBoolean && (cell === 0 || cell === 1)) return cell === 1;
  if (typeof cell !== "string") return cell;
  const text = cell.trim();
  const word = text.toLowerCase();
  const path = name.split(".");
  if (name === "host") return hostIn(text) ?? text;
  if (name === "finishedAt") return dateTime(text);
  if (name === "entitlements.fixPrompts" && UNLIMITED.includes(word)) return null;
  if (type instanceof z.ZodBoolean) {
    return TRUE.includes(word) || (FALSE.includes(word) ? false : text);
  }
  if (type instanceof z.ZodNumber) return numberIn(text, path, say);
  if (type instanceof z.ZodString || type instanceof z.ZodEnum) return text;
  const json = parseJsonText(text);
  if ("finding" in json) return text;
  for (const one of hiddenLosses(json)) say({ ...one, path: [...path, ...one.path] });
  return json.value;
}

function numberIn(text: string, path: Path, say: (finding: Finding) => void): unknown {
  if (isInexact(text)) say(inexactNumber(path, text));
  else if (/^-?[\d.]*,[\d.,]*$/.test(text)) {
    const remedy = "write it with a point and without other marks, such as 1200.5";
    const message = `found ${quote(text)}, which has a comma; ${remedy}`;
    say({ code: "value-wrong", path, message });
  }
  return DECIMAL.test(text) ? Number(text) : text;
}

/** The canonical host of a host or a web address; null if there is none, or if it names a user. */
export function hostIn(text: string): string | null {
  const hasUser = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.test(text);
  return hasUser ? null : canonicalHostOf(text);
}

/**
 * The address that a text of a host states: as it is written, or with https: if it has no scheme. If the text says no
 * more than the host, it is that of the host.
 */
export function addressIn(text: string, host: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  const bare = `https://${host}/`;
  const url = parsedUrl(`https://${text}`);
  if (text === "" || url === null) return bare;
  const isBare = url.hostname.replace(/\.$/, "") === host && url.host === url.hostname;
  return isBare && url.pathname === "/" && !/[?#]/.test(url.href) ? bare : url.href;
}

/** A date-time with an offset; as it is given if it is none. Without an offset, it is taken as UTC. */
export function dateTime(text: string): string {
  const [, day, time = "00:00:00", zone = "Z"] = TIME.exec(text) ?? [];
  const clock = /^\d\d:\d\d$/.test(time) ? `${time}:00` : time;
  const digits = zone.replace(":", "");
  const offset = /^[zug]/i.test(zone) ? "Z" : `${digits.slice(0, 3)}:${digits.slice(3) || "00"}`;
  const read = `${day}T${clock}${offset}`;
  return DateTime.safeParse(read).success ? read : text;
}

/**
 * Writes the value of a field into a record.
 * @param name may be that of a member of an object, such as `entitlements.history`
 * @param value undefined if the cell is empty, which takes the field out
 */
export function setField(record: PartialRecord, name: string, value: unknown): void {
  const [, key = name, inner] = /^([^.]*)\.(.*)$/s.exec(name) ?? [];
  const before = record[key];
  if (inner === undefined) record[key] = value;
  else if (value !== undefined || isObject(before)) {
    const object: PartialRecord = { ...(isObject(before) ? before : {}), [inner]: value };
    if (value === undefined) delete object[inner];
    record[key] = object;
  }
  if (record[key] === undefined) delete record[key];
}
