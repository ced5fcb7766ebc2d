import { statedFacts, statedMembers } from "../../contract/filters.js";
import { CHANGES_KEPT } from "../../contract/limits.js";
import type { SiteSummary } from "../../contract/listing.js";
import { byCodeUnit } from "../../contract/order.js";
import { own } from "../../contract/tables.js";
import {
  type Adder,
  type PublicationEnd,
  type PublicationStart,
  writeAdded,
} from "../../publish/additions.js";
import { BadSnapshotError } from "../../store/bad-snapshot.js";
import { BadColumnsError } from "../../store/columns/columns.js";
import type { Addition, ListingEntry, Manifest } from "../../store/format.js";
import { publicationsUpTo } from "../../store/publications.js";
import { checkHash, readInflated } from "../../store/reader.js";
import { storedJson } from "../../store/stored-json.js";
import type { ListingChange } from "../../store/stored-segments.js";
import {
  CHANGES_EXTRA,
  type ChangeHistory,
  type ChangesFile,
  type Kept,
  readAddition,
  writtenAddition,
} from "./addition.js";
import type { StoredChange } from "./stored-change.js";
import {
  CHANGES_MAX,
  filesAfter,
  hostOfLine,
  LINE_MAX,
  type LoggedChange,
  linesIn,
  loggedLine,
  namedUntil,
  UNTOLD,
  unnamedRemoval,
} from "./stored-changes.js";

/** A full history has this many files or more. */
const FILES_MIN = 8;
/** The fewest changes of a file of each rank. Neighbouring small files are merged once they reach a rank together. */
const RANKS = [8, 64, 512, 4_096] as const;
const DAY_MS = 86_400_000;

/** Begins the log of a publication. */
export async function beginChanges({ store, now, basis }: PublicationStart): Promise<ChangeLog> {
  const kept =
    "directory" in basis
      ? basis.directory.changes
      : (knownUpTo(basis.snapshot)?.kept ?? CHANGES_KEPT);
  return new ChangeLog(store, kept, now);
}

/** The changes up to a snapshot. Null if it has none, or bad ones. */
function knownUpTo(manifest: Manifest): ChangeHistory | null {
  const addition = own(manifest.extras ?? {}, CHANGES_EXTRA);
  if (addition === undefined) return null;
  try {
    return readAddition(addition, publicationsUpTo(manifest).generation);
  } catch (error) {
    if (error instanceof BadColumnsError) return null;
    throw error;
  }
}

/** Collects what a publication changes, and writes it to the store. */
export class ChangeLog implements Adder {
  readonly #store: string;
  readonly #kept: Kept;
  readonly #now: number;
  readonly #publishedAt: string;
  #before: Manifest | null = null;
  /** Null if the changes are unknown, or if there are more than are kept. */
  #lines: string[] | null = [];
  /** The changes that erase earlier ones of the same host. */
  readonly #erased = new Map<string, StoredChange["change"]>();
  #bytesWritten = 0;

  /** @param now in milliseconds since 1970 */
  constructor(store: string, kept: Kept, now: number) {
    this.#store = store;
    this.#kept = kept;
    this.#now = now;
    this.#publishedAt = new Date(now).toISOString();
  }

  begin(before: Manifest): void {
    this.#before = before;
  }

  forget(): void {
    this.#lines = null;
  }

  get bytesWritten(): number {
    return this.#bytesWritten;
  }

  add(change: ListingChange): void {
    if (this.#before === null) return;
    const generation = publicationsUpTo(this.#before).generation + 1;
    const stored = loggedChange(change, generation, this.#publishedAt);
    if (stored === null) return;
    if (stored.checks === null && stored.change !== "added")
      this.#erased.set(change.host, stored.change);
    if (this.#lines?.length === this.#kept.entries) this.forget();
    this.#lines?.push(loggedLine(stored));
  }

  async end(publication: PublicationEnd): Promise<Addition> {
    return writtenAddition(await this.history(publication));
  }

  /** Writes the files of changes. @throws StoreWriteError */
  async history({
    generation,
    isSame,
  }: Pick<PublicationEnd, "generation" | "isSame">): Promise<ChangeHistory> {
    const kept = this.#kept;
    const anew = { since: generation, kept, changes: [] };
    const was = this.#before === null ? null : knownUpTo(this.#before);
    if (was === null) return anew;
    const isKept = isSame && was.kept.days === kept.days && was.kept.entries === kept.entries;
    const isSuch = isKept && !was.changes.some((file) => mayUnname(file, this.#now));
    try {
      for (const file of was.changes) await checkHash(this.#store, file);
      if (isSuch) return was;
      return this.#lines === null ? anew : await this.#continued({ ...was, kept }, this.#lines);
    } catch (error) {
      if (!(error instanceof BadSnapshotError)) throw error;
      // A file is damaged: readers start over with all listings.
      return anew;
    }
  }

  async #continued(history: ChangeHistory, lines: string[]): Promise<ChangeHistory> {
    const most = Math.min(CHANGES_MAX.entries, Math.ceil(this.#kept.entries / FILES_MIN));
    const files = new ChangesFiles(this.#store, most);
    const young = recent(history, this.#kept.entries - lines.length, this.#publishedAt);
    const isErasing =
      this.#erased.size > 0 || young.changes.some((one) => mayUnname(one, this.#now));
    if (isErasing) await files.keep(young.changes, (line, host) => this.#lineKept(line, host));
    else files.files.push(...young.changes);
    await files.append(lines.sort(byCodeUnit));
    await files.merge();
    this.#bytesWritten = files.bytesWritten;
    return { ...young, changes: files.files };
  }

  /**
   * A line of an earlier publication as it stays in the log; null if it goes. A site that is removed now is in no
   * earlier change. If its scans were corrected, the earlier changes only say when it entered and left search. Sites
   * that were removed too long ago are not named.
   */
  #lineKept(line: string, host: string): string | null {
    if (isUnnamed(line, this.#now)) return loggedLine(unnamedRemoval(storedJson(line)));
    const by = this.#erased.get(host);
    if (by === undefined) return line;
    const { generation, publishedAt, change }: LoggedChange = storedJson(line);
    if (by === "removed" || change === "changed") return null;
    return change === "added"
      ? loggedLine({ host, generation, publishedAt, change, ...UNTOLD })
      : line;
  }
}

/** Whether a line is the removal of a named site. */
function isRemoval(line: string): boolean {
  return line.includes('"change":"removed"') && hostOfLine(line) !== null;
}

/** Whether a line is a removal that may no longer name its site. */
function isUnnamed(line: string, now: number): boolean {
  if (!isRemoval(line)) return false;
  const { publishedAt }: LoggedChange = storedJson(line);
  return namedUntil(publishedAt) <= now;
}

/** Whether a file may name a site that was removed too long ago. */
function mayUnname({ removal }: ChangesFile, now: number): boolean {
  return removal !== undefined && namedUntil(removal) <= now;
}

/** A history without the files that are too old, and without the oldest ones if there are too many changes. */
function recent(history: ChangeHistory, room: number, now: string): ChangeHistory {
  const oldest = Date.parse(now) - DAY_MS * history.kept.days;
  let { since } = history;
  let entries = history.changes.reduce((sum, file) => sum + file.entries, 0);
  for (const file of history.changes) {
    if (entries <= room && Date.parse(file.until) >= oldest) break;
    entries -= file.entries;
    since = file.last;
  }
  return { ...history, since, changes: [...filesAfter(history, since)] };
}

/** The files of a history while they change. */
class ChangesFiles {
  files: ChangesFile[] = [];
  bytesWritten = 0;
  readonly #store: string;
  readonly #most: number;

  /** @param most the most changes in a file */
  constructor(store: string, most: number) {
    this.#store = store;
    this.#most = most;
  }

  /**
   * Takes over files with changed lines.
   * @param change gives a line, or null to drop it
   * @throws BadSnapshotError
   */
  async keep(
    files: readonly ChangesFile[],
    change: (line: string, host: string) => string | null,
  ): Promise<void> {
    for (const file of files) {
      const lines = linesIn(await readInflated(this.#store, file), file);
      const kept = lines.flatMap((line) => {
        const host = hostOfLine(line);
        return (host === null ? line : change(line, host)) ?? [];
      });
      const isSame = kept.length === lines.length && kept.every((line, at) => line === lines[at]);
      if (isSame) this.files.push(file);
      else await this.append(kept);
    }
  }

  /** Writes lines to new files. */
  async append(lines: readonly string[]): Promise<void> {
    const hasUnnamed = lines.some((line) => hostOfLine(line) === null);
    for (const some of inFiles(hasUnnamed ? unnamedLast(lines) : lines, this.#most)) {
      const text = Buffer.from(some.map((line) => `${line}\n`).join(""));
      const { file: stored, written } = await writeAdded(this.#store, CHANGES_EXTRA, text);
      this.bytesWritten += written;
      const [{ generation: first }, { generation: last, publishedAt: until }] = endsOf(some);
      const facts = { entries: some.length, first, last, until };
      this.files.push({ ...stored, ...facts, ...removalIn(some) });
    }
  }

  /**
   * Merges the newest files if they are small. So each change is merged at most once for each rank, and fewer than
   * eight files have the same rank. @throws BadSnapshotError
   */
  async merge(): Promise<void> {
    for (const least of RANKS.toReversed()) {
      const start =
        this.files.findLastIndex(
          ({ entries, length }) => entries >= least || length >= CHANGES_MAX.bytes / 2,
        ) + 1;
      const small = this.files.slice(start);
      const entries = small.reduce((sum, file) => sum + file.entries, 0);
      if (small.length < 2 || entries < least) continue;
      const lines: string[] = [];
      for (const file of small) lines.push(...linesIn(await readInflated(this.#store, file), file));
      this.files.length = start;
      await this.append(lines);
    }
  }
}

/** Puts the removals without a name behind the other changes of their publication, as one change. */
function unnamedLast(lines: readonly string[]): string[] {
  const changes = lines.map((line) => {
    const { generation }: LoggedChange = storedJson(line);
    return { line, generation };
  });
  changes.sort((a, b) => a.generation - b.generation || byCodeUnit(a.line, b.line));
  return [...new Set(changes.map(({ line }) => line))];
}

/** When the first of the sites was removed that lines name as removed. */
function removalIn(lines: readonly string[]): Pick<ChangesFile, "removal"> {
  const first = lines.find(isRemoval);
  if (first === undefined) return {};
  const { publishedAt }: LoggedChange = storedJson(first);
  return { removal: publishedAt };
}

/** Cuts lines into as many as a file may have. */
function* inFiles(lines: readonly string[], most: number): Generator<readonly string[], void> {
  let start = 0;
  let bytes = 0;
  for (const [at, line] of lines.entries()) {
    const length = Buffer.byteLength(line) + 1;
    if (at - start === most || bytes + length > CHANGES_MAX.bytes) {
      yield lines.slice(start, at);
      start = at;
      bytes = 0;
    }
    bytes += length;
  }
  if (start < lines.length) yield lines.slice(start);
}

function endsOf(lines: readonly string[]): [StoredChange, StoredChange] {
  return [storedJson(lines[0] ?? ""), storedJson(lines.at(-1) ?? "")];
}

type Search = NonNullable<ListingEntry["search"]>;

/** A change as the log keeps it; null if the listing is in search neither before nor after. */
function loggedChange(
  { host, before, after }: ListingChange,
  generation: number,
  publishedAt: string,
): LoggedChange | null {
  const old = before?.search ?? null;
  const now = after?.search ?? null;
  const base = { host, generation, publishedAt, ...UNTOLD };
  if (old !== null && now === null) {
    const removed: LoggedChange = { ...base, change: "removed" };
    return ifShort({ ...removed, left: statedFacts(old.summary) }) ?? removed;
  }
  if (now === null) return null;
  const change = old === null ? "added" : "changed";
  if (old !== null && isTakenBack(old, now)) return { ...base, change };
  const was = old?.summary ?? null;
  const is = now.summary;
  const told: LoggedChange = {
    ...base,
    change,
    score: { from: was?.latestScore ?? null, to: is.latestScore },
    band: { from: was?.latestBand ?? null, to: is.latestBand },
    scoreVersion: { from: was?.latestScoreVersion ?? null, to: is.latestScoreVersion },
    checks: {
      gained: idsNotIn(is.capabilities, was?.capabilities ?? []),
      lost: idsNotIn(was?.capabilities ?? [], is.capabilities),
    },
    was: was && formerTerms(was, is),
  };
  return ifShort(told) ?? { ...base, change };
}

/** Null if the line of a change would be too long. */
function ifShort(change: LoggedChange): LoggedChange | null {
  return loggedLine(change).length <= LINE_MAX ? change : null;
}

function idsNotIn(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => !others.includes(id));
}

/** The former values of the members that filters compare, if they differ now; null if none does. */
function formerTerms(was: SiteSummary, is: SiteSummary): StoredChange["was"] {
  const now = statedMembers(is);
  const differing = Object.entries(statedMembers(was)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(own(now, name)),
  );
  return differing.length === 0 ? null : Object.fromEntries(differing);
}

/** Whether a listing's published scan was corrected, or went back to an older one. */
function isTakenBack(was: Search, is: Search): boolean {
  if (is.recent !== was.recent) return is.recent < was.recent;
  const said = ({ summary: { latestScore, latestBand, capabilities } }: Search) =>
    JSON.stringify([latestScore, latestBand, capabilities]);
  // A score by another methodology is not a correction.
  return was.summary.latestScoreVersion === is.summary.latestScoreVersion && said(was) !== said(is);
}
