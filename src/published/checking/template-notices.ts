import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PACKAGE_FOLDER } from "../../files/package.js";
import { isObject } from "./breaches.js";
import { type Finding, NO_FINDINGS } from "./finding.js";
import type { Rules } from "./rules.js";

/* Placeholders of `crawldex init` and `crawldex import` that nobody has replaced: they would be published as facts. */

/** The keys of each document that have placeholders. */
const PLACEHOLDERS = {
  "directory.json": ["name", "baseUrl", "description"],
  "standards.json": ["rubric", "checks"],
} as const;

/** A warning at the first key of a document that has the value that `crawldex init` writes. */
export function templateNotices(document: keyof typeof PLACEHOLDERS): Rules {
  return (record) => {
    const template = templateOf(document);
    const left = PLACEHOLDERS[document].filter(
      (key) => key in record && isDeepStrictEqual(record[key], template[key]),
    );
    const [first] = left;
    if (first === undefined) return NO_FINDINGS;
    const message = `is still what crawldex init and import write (${left.join(", ")}); replace it before you publish`;
    return [{ path: [first], at: "value", message }] satisfies Finding[];
  };
}

const templates = new Map<string, Readonly<Record<string, unknown>>>();

function templateOf(document: string): Readonly<Record<string, unknown>> {
  const known = templates.get(document);
  if (known !== undefined) return known;
  const path = join(PACKAGE_FOLDER, "sample/minimal", document);
  const template: unknown = JSON.parse(readFileSync(path, "utf8"));
  const read = isObject(template) ? template : {};
  templates.set(document, read);
  return read;
}
