import { z } from "zod";
import type { Check } from "../../contract/report.js";
import type { CheckDescription } from "../../contract/standards.js";
import { isObject } from "../../contract/values.js";
import { type PartialRecord, setField } from "./cells.js";
import { CHECK, type ColumnField } from "./columns.js";

/** The words for the results of a check, in lower case. */
const RESULTS: Readonly<Record<Check["status"], readonly string[]>> = {
  pass: ["pass", "true", "yes", "1"],
  warn: ["warn"],
  fail: ["fail", "false", "no", "0"],
  na: ["na", "n/a", "skip", "skipped"],
};

/** The id of the check whose results a field holds; undefined for any other field. */
export function checkOf({ name }: ColumnField): string | undefined {
  return name.startsWith(CHECK) ? name.slice(CHECK.length) : undefined;
}

/** The result of a check in a scan, from a word for it; null if the cell is no such word. */
export function checkResult(check: CheckDescription, cell: unknown): Check | null {
  const word = String(cell).trim().toLowerCase();
  const status = z.enum(["pass", "warn", "fail", "na"]).options.find((one) => {
    return RESULTS[one].includes(word);
  });
  if (status === undefined) return null;
  const { id, name, title, version, kind, block, lifecycle, weight, maxPoints } = check;
  const lost = kind === "penalty" && status === "fail" ? -weight : 0;
  return {
    checkId: id,
    checkVersion: version,
    title,
    label: name,
    kind,
    block,
    status,
    points: status === "pass" ? maxPoints : lost,
    maxPoints,
    lifecycle,
    summary: null,
    details: {},
  };
}

/** A check of which only the id is known: it changes no score. */
export function draftedCheck(id: string): PartialRecord {
  const words = id.replace(/[-_]+/g, " ").trim();
  return {
    id,
    name: words.charAt(0).toUpperCase() + words.slice(1),
    kind: "capability",
    maxPoints: 0,
  };
}

/** Writes the value of any field into a record; the result of a check goes into the list of them. */
export function setValue(record: PartialRecord, field: ColumnField, value: unknown): void {
  const id = checkOf(field);
  if (id === undefined) {
    setField(record, field, value);
    return;
  }
  const checks: unknown[] = Array.isArray(record.checks) ? [...record.checks] : [];
  const at = checks.findIndex((one) => isObject(one) && one.checkId === id);
  if (at >= 0) checks.splice(at, 1, ...(value === undefined ? [] : [value]));
  else if (value !== undefined) checks.push(value);
  if (checks.length > 0 || record.checks !== undefined) record.checks = checks;
}
