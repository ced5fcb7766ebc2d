import type { StoredChange } from "../../contract/change-feed.js";
import { type ChangesCursor, cursorText, readCursor } from "../../contract/changes.js";
import { ERROR_TEXTS } from "../../contract/error.js";
import { type ChangesQuery, EXTENSIONS } from "../../contract/extensions.js";
import { queryText } from "../../contract/query.js";
import { filesAfter } from "../../store/change-log.js";
import type { ChangesFile, History } from "../../store/format.js";
import { type Content, type Failure, madeContent, type SnapshotView } from "../answer/content.js";
import { NO_ADDRESS } from "../answer/error-answers.js";

const decoder = new TextDecoder();

export async function changesContent(
  { since, limit }: ChangesQuery,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const { history } = snapshot;
  const from = since === undefined ? cursorAt(history.since, history) : readCursor(since);
  const failure = cursorFailure(from, history);
  if (failure !== null) return failure;
  const found = await changesAfter(from, limit + 1, snapshot);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const isMore = found.length > limit && last !== undefined;
  const cursor = cursorText(
    isMore
      ? { ...cursorAt(last.generation, history), host: last.host }
      : cursorAt(history.generation, history),
  );
  const query = queryText(EXTENSIONS.changes.query, { since: cursor, limit });
  const engine = await snapshot.engine;
  const sites = await engine.summariesOf(shown.map(({ host }) => host));
  const items = shown.map((change, at) => {
    const site = change.change === "removed" ? undefined : sites[at];
    const json = site === undefined ? null : decoder.decode(site);
    return `${JSON.stringify(change).slice(0, -1)},"site":${json}}`;
  });
  const next = isMore ? `${EXTENSIONS.changes.path}?${query}` : null;
  const end = JSON.stringify({ cursor, next }).slice(1);
  return madeContent(`{"data":[${items.join(",")}],${end}`, snapshot);
}

/** The position after all changes of a publication. */
export function cursorAt(generation: number, { origin }: History): ChangesCursor {
  return { generation, origin, host: null };
}

/** Why the changes after a position cannot be listed; null if they can. */
function cursorFailure(
  { generation, origin, host }: ChangesCursor,
  history: History,
): Failure | null {
  const isOther = origin !== null && origin !== history.origin;
  if (isOther || generation - (host === null ? 0 : 1) < history.since) {
    const oldest = cursorText(cursorAt(history.since, history));
    const why = isOther
      ? "is a cursor of another store"
      : "is older than the oldest cursor that is kept";
    const message = `${why}: ${oldest}`;
    return { status: 410, error: ERROR_TEXTS.gone, issues: [{ path: "since", message }] };
  }
  if (generation <= history.generation) return null;
  const message = `must not be later than the current publication, ${history.generation}`;
  return { status: 400, error: ERROR_TEXTS.invalid, issues: [{ path: "since", message }] };
}

async function changesAfter(
  { generation, host }: ChangesCursor,
  most: number,
  snapshot: SnapshotView,
): Promise<StoredChange[]> {
  const { history } = snapshot;
  const known = host === null ? generation : generation - 1;
  const found: StoredChange[] = [];
  for (const file of filesAfter(history, known)) {
    for (const change of await snapshot.changesIn(file)) {
      if (change.generation <= known) continue;
      if (change.generation === generation && host !== null && change.host <= host) continue;
      if (found.push(change) === most) return found;
    }
  }
  return found;
}

/** The content of `/changes/index.json` or of a file that it lists. */
export async function changesFileContent(
  snapshot: SnapshotView,
  name: string,
): Promise<Content | Failure> {
  const { history } = snapshot;
  if (name === "index.json") {
    const { generation, since, changes } = history;
    const files = changes.map((file) => {
      const { first, last, entries } = file;
      return { file: changesFileName(file), first, last, entries };
    });
    const cursor = cursorText(cursorAt(generation, history));
    return madeContent(JSON.stringify({ generation, since, cursor, files }), snapshot);
  }
  const file = history.changes.find((one) => changesFileName(one) === name);
  if (file === undefined) return NO_ADDRESS;
  return madeContent(JSON.stringify({ data: await snapshot.changesIn(file) }), snapshot);
}

/** The name of a file of changes below `/changes/`, made from its digest. */
export function changesFileName({ sha256 }: ChangesFile): string {
  return `${sha256.slice(0, 32)}.json`;
}
