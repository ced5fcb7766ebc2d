import { NO_ADDRESS } from "../../answer/answer.js";
import { jsonWithSite } from "../../answer/bodies.js";
import {
  type Content,
  type Failure,
  madeContent,
  type SnapshotView,
} from "../../answer/content.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { queryText } from "../../contract/query.js";
import type { History } from "../../store/format.js";
import { type ChangesFile, changesOf, readChanges } from "./addition.js";
import { type ChangesCursor, cursorText, readCursor } from "./cursor.js";
import { CHANGES, type ChangesQuery, GONE } from "./reads.js";
import type { StoredChange } from "./stored-change.js";
import {
  filesAfter,
  type LoggedChange,
  namedUntil,
  servedChange,
  unnamedRemoval,
} from "./stored-changes.js";

export async function changesContent(
  { since, limit }: ChangesQuery,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const { history } = snapshot;
  const known = changesOf(snapshot);
  const from = since === undefined ? cursorAt(known.since, history) : readCursor(since);
  const failure = cursorFailure(from, history, known.since);
  if (failure !== null) return failure;
  const changes: StoredChange[] = [];
  for await (const change of changesAfter(from, snapshot)) {
    if (changes.push(change) > limit) break;
  }
  const shown = changes.slice(0, limit);
  const last = shown.at(-1);
  const isMore = changes.length > limit && last !== undefined;
  const cursor = cursorText(
    isMore
      ? { ...cursorAt(last.generation, history), host: last.host }
      : cursorAt(history.generation, history),
  );
  const query = queryText(CHANGES.query, { since: cursor, limit });
  const engine = await snapshot.engine;
  const hosts = shown.flatMap(({ host, change }) =>
    host === null || change === "removed" ? [] : [host],
  );
  const found = await engine.summariesOf(hosts);
  const sites = new Map(hosts.map((host, at) => [host, found[at]]));
  const items = shown.map((change) => {
    const site = change.change === "removed" ? undefined : sites.get(change.host ?? "");
    return jsonWithSite(change, site ?? null);
  });
  const next = isMore ? `${CHANGES.path}?${query}` : null;
  const end = JSON.stringify({ cursor, next }).slice(1);
  const content = await madeContent(`{"data":[${items.join(",")}],${end}`, snapshot);
  return { ...content, ...untilUnnamed(shown) };
}

/** The position after all changes of a publication. */
export function cursorAt(generation: number, { origin }: History): ChangesCursor {
  return { generation, origin, host: null };
}

/** Why the changes after a position cannot be listed; null if they can. */
function cursorFailure(
  { generation, origin, host }: ChangesCursor,
  history: History,
  since: number,
): Failure | null {
  const isOther = origin !== null && origin !== history.origin;
  if (isOther || generation - (host === null ? 0 : 1) < since) {
    const oldest = cursorText(cursorAt(since, history));
    const why = isOther
      ? "is a cursor of another store"
      : "is older than the oldest cursor that is kept";
    const message = `${why}: ${oldest}`;
    return { status: 410, error: GONE, issues: [{ path: "since", message }] };
  }
  if (generation <= history.generation) return null;
  const message = `must not be later than the current publication, ${history.generation}`;
  return { status: 400, error: ERROR_TEXTS.invalid, issues: [{ path: "since", message }] };
}

/** The changes after a position, oldest first. */
async function* changesAfter(
  { generation, host: last }: ChangesCursor,
  snapshot: SnapshotView,
): AsyncGenerator<StoredChange> {
  const known = last === null ? generation : generation - 1;
  for await (const change of changesIn(filesAfter(changesOf(snapshot), known), snapshot)) {
    const { host } = change;
    if (change.generation <= known) continue;
    // Of one more publication, the reader knows the changes of the first sites.
    const isRead = change.generation === generation && host !== null && host <= (last ?? "");
    if (!isRead) yield servedChange(change);
  }
}

/** The changes in some files, oldest first. One without a site comes last in its publication. */
async function* changesIn(
  files: readonly ChangesFile[],
  snapshot: SnapshotView,
): AsyncGenerator<LoggedChange> {
  let unnamed: StoredChange | null = null;
  for (const file of files) {
    for (const change of await readChanges(snapshot, file)) {
      if (unnamed !== null && unnamed.generation !== change.generation) {
        yield unnamed;
        unnamed = null;
      }
      if (isNamed(change, snapshot)) yield change;
      else unnamed = unnamedRemoval(change);
    }
  }
  if (unnamed !== null) yield unnamed;
}

/** A change that names its site. */
export type NamedChange = LoggedChange & { readonly host: string };

/** Whether a change may name its site: not if that was removed too long ago. */
export function isNamed(
  change: LoggedChange,
  snapshot: Pick<SnapshotView, "now">,
): change is NamedChange {
  if (change.host === null) return false;
  return change.change !== "removed" || namedUntil(change.publishedAt) > snapshot.now();
}

/** When the first of the removed sites among some changes may no longer be named. */
export function untilUnnamed(changes: readonly StoredChange[]): Pick<Content, "until"> {
  const named = changes.filter(({ host, change }) => host !== null && change === "removed");
  if (named.length === 0) return {};
  return { until: Math.min(...named.map(({ publishedAt }) => namedUntil(publishedAt))) };
}

/** The content of `/changes/index.json` or of a file that it lists. */
export async function changesFileContent(
  snapshot: SnapshotView,
  name: string,
): Promise<Content | Failure> {
  const { history } = snapshot;
  const { since, changes } = changesOf(snapshot);
  if (name === "index.json") {
    const { generation } = history;
    const files = changes.map((file) => {
      const { first, last, entries } = file;
      return { file: changesFileName(file), first, last, entries };
    });
    const cursor = cursorText(cursorAt(generation, history));
    return madeContent(JSON.stringify({ generation, since, cursor, files }), snapshot);
  }
  const file = changes.find((one) => changesFileName(one) === name);
  if (file === undefined) return NO_ADDRESS;
  const data: StoredChange[] = [];
  for await (const change of changesIn([file], snapshot)) {
    data.push(servedChange(change));
  }
  return { ...(await madeContent(JSON.stringify({ data }), snapshot)), ...untilUnnamed(data) };
}

/** The name of a file of changes below `/changes/`, made from its digest. */
export function changesFileName({ sha256 }: Pick<ChangesFile, "sha256">): string {
  return `${sha256.slice(0, 32)}.json`;
}
