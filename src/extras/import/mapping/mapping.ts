import { z } from "zod";
import { DateTime } from "../../../contract/field.js";
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
} from "../scanner-run.js";

/*
 * A file that says where another scanner's JSON has what a scan needs (docs/scanners.md#any-other-scanner). A path
 * names keys from a row down, with dots between: `site.host`, `runs.0.url`. One that begins with `$.` starts at the
 * document.
 */

const Place = z.string().min(1, "must be a path, such as site.host");
const STATUSES = ["pass", "warn", "fail", "na"] as const;

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
  const { checks } = mapping;
  for (const [word, status] of Object.entries(checks?.statuses ?? {})) {
    partOf(z.enum(STATUSES), status, ["checks", "statuses", word]);
  }
  return mapping;
}

/** The format that a mapping describes. Its checks keep their ids, so that standards.json can have them. */
export function mappedFormat(mapping: Mapping): ScannerFormat {
  const { scanner, rows } = mapping;
  return {
    name: scanner
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
    scanner,
    standards: null,
    runs: (document) => {
      const found = rows === undefined ? { value: document, path: [] } : at(document, rows, []);
      const { value, path } = found;
      if (!Array.isArray(value)) return [new Row(document, value, path).run(mapping)];
      if (value.length === 0) refusePart(path, "has no row");
      return value.map((row, index) => new Row(document, row, [...path, index]).run(mapping));
    },
  };
}

interface Found {
  readonly value: unknown;
  readonly path: Path;
}

/** The value at a path below another value; undefined if there is none. */
function at(value: unknown, place: string, from: Path): Found {
  const steps = place.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const found = steps.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
  return { value: found, path: [...from, ...steps] };
}

/** A row of a document: one run of the scanner. */
class Row {
  readonly #document: unknown;
  readonly #row: unknown;
  readonly #path: Path;

  constructor(document: unknown, row: unknown, path: Path) {
    this.#document = document;
    this.#row = row;
    this.#path = path;
  }

  run(mapping: Mapping): ScannerRun {
    const url = this.#read(z.string(), mapping.url);
    const finishedAt = this.#read(Time, mapping.finishedAt);
    const { scoreOf } = mapping;
    const Points = z
      .number()
      .refine((n) => n >= 0 && n <= scoreOf, `must be a number from 0 to ${scoreOf}`)
      .nullable();
    const points = this.#optional(Points, mapping.score);
    const score = points === null ? null : wholeScore(points, mapping);
    if (score === undefined) {
      const { path } = this.#find(mapping.score ?? "");
      const remedy = `add "round": true to the mapping, and it is rounded`;
      refusePart(path, `found ${points}, but a score has no decimals from 0 to 100; ${remedy}`);
    }
    return {
      host: hostAt(url, this.#find(mapping.url).path),
      url,
      finalUrl: null,
      key: this.#optional(Text, mapping.id) ?? finishedAt,
      finishedAt,
      score,
      scoreVersion: this.#optional(Text, mapping.scoreVersion),
      scannerVersion: this.#optional(Text, mapping.version),
      summary: this.#optional(Text, mapping.summary),
      profile: {},
      checks: mapping.checks === undefined ? [] : this.#checks(mapping.checks),
      failure: null,
    };
  }

  #checks(mapping: NonNullable<Mapping["checks"]>): RunCheck[] {
    const { value, path } = this.#find(mapping.at);
    if (Array.isArray(value) && mapping.id === undefined) {
      refusePart(path, "is a list, so the mapping's checks need an id: the path in each of them");
    }
    if (!Array.isArray(value) && !isObject(value))
      refusePart(path, "is no list or object of checks");
    return Object.entries(value).map(([key, check]) => {
      const step = Array.isArray(value) ? Number(key) : key;
      const row = new Row(this.#document, check, [...path, step]);
      const id = mapping.id === undefined ? key : row.#read(z.string(), mapping.id);
      const number = (place: string | undefined) => row.#optional(z.number(), place) ?? 0;
      return {
        id,
        title: row.#optional(Text, mapping.title) ?? id,
        status: row.#status(mapping),
        points: number(mapping.points),
        maxPoints: number(mapping.maxPoints),
        summary: row.#optional(Text, mapping.summary),
        details: {},
        fix: null,
      };
    });
  }

  #status({ status: place, statuses }: NonNullable<Mapping["checks"]>): RunCheck["status"] {
    const { value, path } =
      place === undefined ? { value: this.#row, path: this.#path } : this.#find(place);
    if (value === undefined) refusePart(path, MISSING);
    const word = String(value);
    const status = Object.hasOwn(statuses, word) ? statuses[word] : undefined;
    if (status !== undefined) return status;
    const words = Object.keys(statuses).join(", ");
    return refusePart(
      path,
      `found ${describeValue(value)}, which the mapping's statuses lack: they are ${words}`,
    );
  }

  #find(place: string): Found {
    return place.startsWith("$.")
      ? at(this.#document, place.slice(2), [])
      : at(this.#row, place, this.#path);
  }

  #read<T>(schema: z.ZodType<T>, place: string): T {
    const { value, path } = this.#find(place);
    if (value === undefined) refusePart(path, MISSING);
    return partOf(schema, value, path);
  }

  /** Null if the mapping has no place, or if the row has nothing there. */
  #optional<T>(schema: z.ZodType<T>, place: string | undefined): T | null {
    if (place === undefined) return null;
    const { value, path } = this.#find(place);
    return value === undefined || value === null ? null : partOf(schema, value, path);
  }
}

/** A score from 0 to 100; undefined if it has decimals that may not be rounded. */
function wholeScore(points: number, { scoreOf, round }: Mapping): number | undefined {
  const score = (100 * points) / scoreOf;
  const whole = Math.round(score);
  // 0.29 of 1 becomes 28.999999999999996.
  return round || Math.abs(score - whole) < 1e-9 ? whole : undefined;
}

const MISSING = "is missing, but the mapping names it";

/** A time in any form that a table may have. */
const Time = z.string().transform(dateTime).pipe(DateTime);
/** A text, or a number that stands for one, such as a version. */
const Text = z.union([z.string(), z.number().transform(String)]);
