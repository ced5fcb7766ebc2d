import { hash } from "node:crypto";
import { z } from "zod";
import { itemAt } from "../../contract/tables.js";
import { isObject } from "../../contract/values.js";
import { isOneRecord } from "../locating/files.js";
import { DIGEST_WORDS } from "../locating/record-columns.js";
import { breaches } from "./breaches.js";
import type { ProblemCode } from "./codes.js";
import {
  conflictingKeys,
  inexactNumbers,
  isBlank,
  mayRepeatKeys,
  type ParsedJson,
  parseJson,
  repeatedKeys,
  SMALL_TEXT,
} from "./json.js";
import { locatedProblems } from "./positions.js";
import {
  FINDINGS_MAX,
  type Finding,
  formatPath,
  NO_FINDINGS,
  type Path,
  type Problem,
} from "./problem.js";
import type { Rules } from "./rules.js";

/** Bytes of a record: its file, or its line without the line end (docs/publishing.md#rules-for-all-files). */
export const RECORD_MAX = 16 * 1024 * 1024;

/** A record's raw bytes and its position in a file. */
export interface RecordSource {
  /** Path inside the published folder. */
  readonly file: string;
  /** Line of the file on which it begins, counted from 1. */
  readonly line: number;
  /** Without byte-order mark and line end, but with the blanks around the record. */
  readonly bytes: Buffer;
}

/** How records of one kind are checked. */
export interface RecordChecks<T> {
  readonly schema: z.ZodType<T>;
  /**
   * Rules across keys and documents. Their findings are clearer than the schema's, and replace them at the same path.
   */
  readonly rules: Rules;
  /** Keys that may be repeated only with the same value. This also holds for keys in the objects under them. */
  readonly unambiguous?: ReadonlySet<string>;
  /** Finds probable mistakes that are not errors (`rules.ts`). */
  readonly notices: Rules;
}

/** Schemas as generated code: compiling takes milliseconds, and running takes a fifth of the time. */
const COMPILED = new WeakMap<z.ZodType, z.ZodType>();

function compiled<T>(schema: z.ZodType<T>): z.ZodType<T> {
  const made = COMPILED.get(schema) ?? z.compile(schema);
  COMPILED.set(schema, made);
  return made as z.ZodType<T>;
}

/** A record after its check. `value` is null if the record has errors. */
export interface CheckedRecord<T> {
  readonly source: RecordSource;
  /** The parsed object, even if it breaks rules; null if the text does not parse to an object. */
  readonly parsed: Readonly<Record<string, unknown>> | null;
  readonly value: T | null;
  readonly problems: readonly Problem[];
  /** Probable mistakes, which become warnings. Empty if the record has errors, which must be fixed first. */
  readonly notices: readonly Finding[];
}

/** Checks everything about a record that does not depend on other records. */
export function checkRecord<T>(checks: RecordChecks<T>, source: RecordSource): CheckedRecord<T> {
  const json = parseJson(source.bytes);
  if ("finding" in json) return bad(source, null, json.text, [json.finding]);
  const { text, value } = json;
  const parsed = isObject(value) ? value : null;
  const record = parsed === null ? value : withoutSchemaKey(source, parsed);
  // A record of megabytes may have millions of errors; only `breaches` lists them one by one.
  const result = text.length <= SMALL_TEXT ? compiled(checks.schema).safeParse(record) : undefined;
  const findings = layered("errors-hidden", [
    layered("errors-hidden", [oddities(json), inexactNumbers(text), conflicts(checks, json)]),
    parsed === null ? NO_FINDINGS : checks.rules(parsed),
    result?.success ? NO_FINDINGS : breaches(checks.schema, record),
  ]);
  if (findings.length > 0) return bad(source, parsed, text, findings);
  const { data, error } = result ?? compiled(checks.schema).safeParse(record);
  if (error === undefined) {
    const notices = noticesIn(checks, json, parsed);
    return { source, parsed, value: data, problems: [], notices };
  }
  const rest = error.issues.map(({ path, message }): Finding => {
    const steps = path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return { code: "value-wrong", path: steps, message };
  });
  return bad(source, parsed, text, rest);
}

/** Finds the notices of a record without errors. */
function noticesIn<T>(
  { notices }: RecordChecks<T>,
  { text, keys }: ParsedJson,
  parsed: CheckedRecord<T>["parsed"],
): readonly Finding[] {
  const repeated = mayRepeatKeys(text, keys) ? repeatedKeys(text) : NO_FINDINGS;
  return layered("warnings-hidden", [parsed === null ? NO_FINDINGS : notices(parsed), repeated]);
}

/** Finds repeated keys with which the record could mean something else. All other repeated keys are notices. */
function conflicts<T>(
  { unambiguous }: RecordChecks<T>,
  { text, keys }: ParsedJson,
): Iterable<Finding> {
  return unambiguous !== undefined && mayRepeatKeys(text, keys)
    ? conflictingKeys(text, unambiguous)
    : NO_FINDINGS;
}

/**
 * The first 128 bits of the SHA-256 of a record's bytes, without the blanks around them, as words. If the
 * bytes have a `$schema`, the digest depends on the file: `$schema` is allowed in a `.json` file and an error
 * in a line.
 * @param file the name of the record's file
 */
export function recordDigest(file: string, bytes: Buffer): Uint32Array {
  const digest = hash("sha256", trimBlanks(bytes), "buffer");
  const words = new Uint32Array(DIGEST_WORDS);
  for (let word = 0; word < DIGEST_WORDS; word += 1) words[word] = digest.readUInt32LE(4 * word);
  if (!isOneRecord(file) && hasSchemaKey(bytes)) words[0]! ^= 1;
  return words;
}

const DOLLAR = 0x24;

function hasSchemaKey(bytes: Buffer): boolean {
  // These quick tests rule out nearly every record, so that hardly any needs parsing here.
  const isPlain = bytes.includes(DOLLAR) && bytes.includes('"$');
  if (!isPlain && !bytes.includes("\\u0024")) return false;
  const json = parseJson(bytes);
  return "value" in json && isObject(json.value) && Object.hasOwn(json.value, "$schema");
}

export function trimBlanks(bytes: Buffer): Buffer {
  let start = 0;
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1]!)) end -= 1;
  while (start < end && isBlank(bytes[start]!)) start += 1;
  return bytes.subarray(start, end);
}

/** A problem at the value of one of a record's keys, or at the record's beginning if the key is null. */
export function problemAt(
  { source, parsed }: CheckedRecord<unknown>,
  key: string | null,
  said: Pick<Problem, "code" | "message">,
): Problem {
  // A text that does not parse has no keys to find.
  const path = parsed === null || key === null ? [] : [key];
  const text = source.bytes.toString("utf8");
  const problems = locatedProblems(source.file, source.line, text, [{ path, ...said }]);
  return itemAt(problems, 0);
}

function bad<T>(
  source: RecordSource,
  parsed: CheckedRecord<T>["parsed"],
  text: string,
  findings: readonly Finding[],
): CheckedRecord<T> {
  const problems = locatedProblems(source.file, source.line, text, findings);
  return { source, parsed, value: null, problems, notices: NO_FINDINGS };
}

/** Removes `$schema`, which is for editors and is allowed only at the top of a `.json` file. */
function withoutSchemaKey(
  { file }: RecordSource,
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!isOneRecord(file) || !Object.hasOwn(parsed, "$schema")) return parsed;
  const { $schema, ...rest } = parsed;
  return rest;
}

/** Finds values that JSON allows but no record may have, at any depth, even in free-form objects. */
function oddities({ text, value, hasProto }: ParsedJson): Iterable<Finding> {
  // Valid UTF-8 has no lone surrogates, so only an escape can produce one.
  const mayBeIllFormed = text.includes("\\ud") || text.includes("\\uD");
  return hasProto || mayBeIllFormed ? oddValues(value, []) : NO_FINDINGS;
}

/** Recurses; the depth limit bounds the recursion. */
function* oddValues(value: unknown, path: Path): Generator<Finding> {
  if (typeof value === "string" && !value.isWellFormed()) {
    yield { ...ILL_FORMED, path };
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* oddValues(item, [...path, index]);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const below = [...path, key];
      if (!key.isWellFormed()) yield { ...ILL_FORMED, path: below, at: "key" };
      if (key === "__proto__") {
        const message = "is a key that is not allowed";
        yield { code: "key-forbidden", path: below, at: "key", message };
      }
      yield* oddValues(item, below);
    }
  }
}

const ILL_FORMED = {
  code: "text-ill-formed",
  message: "found a lone surrogate, expected well-formed Unicode text",
} as const;

/**
 * Merges layers of findings. If a path already has findings, later layers add nothing there. For example, a
 * slug that is not in the taxonomy is not also reported as invalid.
 * @param code says that there are more findings than are shown
 */
function layered(code: ProblemCode, layers: readonly Iterable<Finding>[]): Finding[] {
  const findings: Finding[] = [];
  const taken = new Set<string>();
  for (const layer of layers) {
    const paths: string[] = [];
    for (const finding of layer) {
      const path = formatPath(finding.path);
      if (taken.has(path)) continue;
      if (findings.length === FINDINGS_MAX) {
        const message = `has more mistakes than the ${FINDINGS_MAX} that are shown`;
        return [...findings, { code, path: [], message }];
      }
      paths.push(path);
      findings.push(finding);
    }
    for (const path of paths) taken.add(path);
  }
  return findings;
}
