import { z } from "zod";
import { DateTime } from "../../../contract/field.js";
import { own } from "../../../contract/tables.js";
import { isObject } from "../../../contract/values.js";
import { breaches } from "../../../input/checking/breaches.js";
import { describeValue, type Path } from "../../../input/checking/problem.js";
import { dateTime } from "../cells.js";
import {
  DocumentError,
  hostAt,
  partOf,
  type RunCheck,
  refusePart,
  type ScannerFormat,
  type ScannerRun,
  slugOf,
} from "../scanner.js";

/*
 * A file that says where another scanner's JSON has what a scan needs (docs/scanners.md#any-other-scanner). A path
 * names keys from a row down, with dots between: `site.host`, `runs.0.url`. One that begins with `$.` starts at the
 * document.
 */

const Place = z.string().min(1, "must be a path, such as site.host");
const Status = z.enum(["pass", "warn", "fail", "na"]);

export const Mapping = z.strictObject({
  scanner: z.string().regex(/[a-z0-9]/i, "must be the name of the scanner"),
  rows: Place.optional(),
  url: Place,
  finishedAt: Place,
  id: Place.optional(),
  version: Place.optional(),
  score: Place.optional(),
  /** Whether decimals of a score from 0 to 100 are rounded. */
  round: z.boolean().default(false),
  scoreOf: z.literal([1, 100]).default(100),
  scoreVersion: Place.optional(),
  summary: Place.optional(),
  checks: z
    .strictObject({
      at: Place,
      id: Place.optional(),
      status: Place.optional(),
      title: Place.optional(),
      summary: Place.optional(),
      points: Place.optional(),
      maxPoints: Place.optional(),
      statuses: z.custom<Record<string, RunCheck["status"]>>(isObject, "must be an object"),
    })
    .optional(),
});
export type Mapping = z.infer<typeof Mapping>;

/**
 * The mapping in a parsed file.
 * @throws DocumentError
 */
export function mappingIn(value: unknown): Mapping {
  const findings = [...breaches(Mapping, value)];
  if (findings.length > 0) throw new DocumentError(findings);
  const mapping = Mapping.parse(value);
  for (const [word, status] of Object.entries(mapping.checks?.statuses ?? {})) {
    partOf(Status, status, ["checks", "statuses", word]);
  }
  return mapping;
}

/** The format that a mapping describes. Its checks keep their ids, so that standards.json can have them. */
export function mappedFormat(mapping: Mapping): ScannerFormat {
  const { scanner, rows } = mapping;
  return {
    name: slugOf(scanner),
    scanner,
    standards: null,
    runs: (document) => {
      const whole = { value: document, path: [] };
      const { value, path } = rows === undefined ? whole : below(whole, rows);
      const all = new Part({ value, path }, document);
      if (!Array.isArray(value)) return [runIn(all, mapping)];
      if (value.length === 0) refusePart(path, "has no row");
      return value.map((row, at) => runIn(all.part(row, [...path, at]), mapping));
    },
  };
}

interface Found {
  readonly value: unknown;
  readonly path: Path;
}

/** What is at a place below a value; undefined if there is nothing. */
function below({ value, path }: Found, place: string): Found {
  const steps = place.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const found = steps.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isObject(inner) ? own(inner, String(step)) : undefined;
  }, value);
  return { value: found, path: [...path, ...steps] };
}

/** A row of a document, or a check in it. */
class Part {
  readonly #own: Found;
  readonly #document: unknown;

  constructor(own: Found, document: unknown) {
    this.#own = own;
    this.#document = document;
  }

  /** @param place the part itself if left out */
  find(place?: string): Found {
    if (place === undefined) return this.#own;
    if (!place.startsWith("$.")) return below(this.#own, place);
    return below({ value: this.#document, path: [] }, place.slice(2));
  }

  read<T>(schema: z.ZodType<T>, place?: string): T {
    const { value, path } = this.find(place);
    if (value === undefined) refusePart(path, "is missing, but the mapping names it");
    return partOf(schema, value, path);
  }

  /** Null if the mapping has no place, or if there is nothing. */
  optional<T>(schema: z.ZodType<T>, place: string | undefined): T | null {
    if (place === undefined || (this.find(place).value ?? null) === null) return null;
    return this.read(schema, place);
  }

  /** A part of a list or an object below this part. */
  part(value: unknown, path: Path): Part {
    return new Part({ value, path }, this.#document);
  }
}

function runIn(row: Part, mapping: Mapping): ScannerRun {
  const url = row.read(z.string(), mapping.url);
  const finishedAt = row.read(Time, mapping.finishedAt);
  return {
    host: hostAt(url, row.find(mapping.url).path),
    url,
    key: row.optional(Text, mapping.id),
    finishedAt,
    score: scoreIn(row, mapping),
    scoreVersion: row.optional(Text, mapping.scoreVersion),
    scannerVersion: row.optional(Text, mapping.version),
    summary: row.optional(Text, mapping.summary),
    checks: mapping.checks === undefined ? [] : checksIn(row, mapping.checks),
  };
}

function scoreIn(row: Part, { score: place, scoreOf, round }: Mapping): number | null {
  const isScore = (points: number) => points >= 0 && points <= scoreOf;
  const Score = z.number().refine(isScore, `must be a number from 0 to ${scoreOf}`);
  const points = row.optional(Score.nullable(), place);
  if (points === null) return null;
  const score = (100 * points) / scoreOf;
  const whole = Math.round(score);
  // 0.29 of 1 becomes 28.999999999999996.
  if (round || Math.abs(score - whole) < 1e-9) return whole;
  const remedy = `add "round": true to the mapping, and it is rounded`;
  const found = `found ${points}, but a score has no decimals from 0 to 100`;
  return refusePart(row.find(place).path, `${found}; ${remedy}`);
}

function checksIn(row: Part, mapping: NonNullable<Mapping["checks"]>): RunCheck[] {
  const { value, path } = row.find(mapping.at);
  const isList = Array.isArray(value);
  if (isList && mapping.id === undefined) {
    refusePart(path, "is a list, so the mapping's checks need an id: the path in each of them");
  }
  if (!isList && !isObject(value)) return refusePart(path, "is no list or object of checks");
  return Object.entries(value).map(([key, one]) => {
    const check = row.part(one, [...path, isList ? Number(key) : key]);
    const id = mapping.id === undefined ? key : check.read(z.string(), mapping.id);
    return {
      id,
      title: check.optional(Text, mapping.title) ?? id,
      status: statusIn(check, mapping),
      points: check.optional(z.number(), mapping.points) ?? 0,
      maxPoints: check.optional(z.number(), mapping.maxPoints) ?? 0,
      summary: check.optional(Text, mapping.summary),
      details: {},
    };
  });
}

function statusIn(check: Part, { status, statuses }: NonNullable<Mapping["checks"]>) {
  const word = check.read(z.unknown(), status);
  const words = Object.keys(statuses).join(", ");
  const lacking = `found ${describeValue(word)}, which the mapping's statuses lack: they are ${words}`;
  return own(statuses, String(word)) ?? refusePart(check.find(status).path, lacking);
}

/** A time in any form that a table may have. */
const Time = z.string().transform(dateTime).pipe(DateTime);
/** A text, or a number that stands for one, such as a version. */
const Text = z.union([z.string(), z.number().transform(String)]);
