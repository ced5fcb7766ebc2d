import {
  FILTERS,
  type FormerKind,
  STATED_FILTERS,
  type StatedFacts,
  type StatedFilterName,
} from "../../contract/filters.js";
import { isObject } from "../../contract/values.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import { storedJson } from "../../store/stored-json.js";
import type { ChangeHistory, ChangesFile } from "./addition.js";
import type { StoredChange } from "./stored-change.js";

/*
 * The changes between publications, in files that the manifest names. A line is the JSON of one change. It begins with
 * the host, so that sorted lines are sorted by host, and the host of a line can be read without parsing.
 */

/** A change as the log keeps it. Its own member is never served. */
export interface LoggedChange extends StoredChange {
  /** What the publisher said of a site that was removed: feeds of searches that may have found it name it once more. */
  readonly left?: StatedFacts;
}

/** The most changes in a file, and the most bytes of its lines: readers inflate and parse whole files. */
export const CHANGES_MAX = { entries: 8_192, bytes: 4 * 1024 * 1024 } as const;

/** The most characters of a line. */
export const LINE_MAX = 64 * 1024;

const HOST_START = '{"host":"';

/** Members are in the order of the schema. */
export function loggedLine({ host, ...change }: LoggedChange): string {
  return JSON.stringify({ host, ...change });
}

/** The host of a line; null if the line does not name the site any more. */
export function hostOfLine(line: string): string | null {
  if (!line.startsWith(HOST_START)) return null;
  return line.slice(HOST_START.length, line.indexOf('"', HOST_START.length));
}

/** The lines of an inflated file. @throws BadColumnsError if there are more or fewer than the manifest says */
export function linesIn(
  bytes: Uint8Array,
  { entries }: Pick<ChangesFile, "entries">,
): readonly string[] {
  const most = Math.min(entries, CHANGES_MAX.entries);
  const lines = new TextDecoder().decode(bytes).split("\n", most + 2);
  const isWhole = lines.length === entries + 1 && lines[entries] === "";
  if (!isWhole || lines.some((line) => line.length > LINE_MAX))
    throw new BadColumnsError("its lines are too long, or another number than the manifest says");
  return lines.slice(0, -1);
}

/** The changes of an inflated file. @throws BadColumnsError if they are malformed, or not what the manifest says */
export function changesIn(bytes: Uint8Array, file: ChangesFile): LoggedChange[] {
  const changes = linesIn(bytes, file).map(changeIn);
  const isInOrder = changes.every((change, at) => at === 0 || isAfter(change, changes[at - 1]!));
  const first = changes[0];
  const last = changes.at(-1);
  const facts = [first?.generation, last?.generation, last?.publishedAt];
  if (!isInOrder || facts.join() !== [file.first, file.last, file.until].join())
    throw new BadColumnsError("its changes are not in order, or not those of the manifest");
  return changes;
}

function changeIn(line: string): LoggedChange {
  let change: unknown;
  try {
    change = storedJson(line);
  } catch (cause) {
    throw new BadColumnsError("it has a malformed change", { cause });
  }
  if (!isChange(change)) throw new BadColumnsError("it has a malformed change");
  return change;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const areTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** Whether a value has these members and no others. */
function membersOf(checks: Readonly<Record<string, Check>>): Check {
  const names = Object.keys(checks);
  return (value) => {
    return (
      isObject(value) &&
      names.every((name) => checks[name]?.(value[name])) &&
      Object.keys(value).every((name) => Object.hasOwn(checks, name))
    );
  };
}

const fromTo = (check: Check) => orNull(membersOf({ from: orNull(check), to: orNull(check) }));
const HOST = /^[a-z0-9.-]{1,253}$/;

const FORMER_CHECKS: Readonly<Record<FormerKind, Check>> = {
  slug: orNull(isText),
  slugs: areTexts,
  word: isText,
};

function formerCheck(name: StatedFilterName): [string, Check] {
  const { column, former } = FILTERS[name];
  return [column, optional(FORMER_CHECKS[former.kind])];
}

/** Browsers check changes, too, and have no zod. */
const CHANGE = membersOf({
  host: orNull((value) => typeof value === "string" && HOST.test(value)),
  generation: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  publishedAt: (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
  change: (value) => value === "added" || value === "changed" || value === "removed",
  score: fromTo(isNumber),
  band: fromTo(isText),
  scoreVersion: fromTo(isText),
  checks: orNull(membersOf({ gained: areTexts, lost: areTexts })),
  was: orNull(membersOf(Object.fromEntries(STATED_FILTERS.map(formerCheck)))),
  left: optional(membersOf(Object.fromEntries(STATED_FILTERS.map((name) => [name, areTexts])))),
});

function isChange(value: unknown): value is LoggedChange {
  return CHANGE(value);
}

/** By publication, then by host. A change that names no site comes last. */
function isAfter(change: LoggedChange, before: LoggedChange): boolean {
  if (change.generation !== before.generation) return change.generation > before.generation;
  if (before.host === null) return false;
  return change.host === null || change.host > before.host;
}

/** The files with changes after a generation, oldest first. */
export function filesAfter(
  { changes }: Pick<ChangeHistory, "changes">,
  generation: number,
): readonly ChangesFile[] {
  return changes.filter(({ last }) => last > generation);
}

/** A change as it is served. */
export function servedChange({ left: _, ...change }: LoggedChange): StoredChange {
  return change;
}

/** For how many days changes and feeds name a site that was removed. */
export const REMOVAL_NAMED_DAYS = 30;

const NAMED_MS = 86_400_000 * REMOVAL_NAMED_DAYS;

/** Until when a removed site may be named, in milliseconds since 1970. @param publishedAt when it was removed */
export function namedUntil(publishedAt: string): number {
  return Date.parse(publishedAt) + NAMED_MS;
}

/** The members of a change whose facts are not told. */
export const UNTOLD = { score: null, band: null, scoreVersion: null, checks: null, was: null };

/** The change that stands for all removals of a publication whose sites are not named any more. */
export function unnamedRemoval({
  generation,
  publishedAt,
}: Pick<StoredChange, "generation" | "publishedAt">): StoredChange {
  return { host: null, generation, publishedAt, change: "removed", ...UNTOLD };
}
