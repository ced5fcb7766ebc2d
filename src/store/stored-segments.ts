import { hostHash } from "../contract/host.js";
import type { SiteSummary } from "../contract/listing.js";
import { instantKey } from "../contract/order.js";
import { addTo, itemAt } from "../contract/tables.js";
import { textAt } from "./columns/columns.js";
import type { ListingColumns } from "./columns/listings.js";
import type { ListingEntry, Segment } from "./format.js";
import { contentAt, type DirectoryEntry, directoryHosts, entryAt } from "./segments/directory.js";
import { type GistRow, liveRows } from "./segments/rows.js";
import { type ListingRow, SegmentReader } from "./snapshot-reader.js";
import { storedJson } from "./stored-json.js";

/*
 * What builds, exports and upkeep read of segments. It is apart from the reader of requests, which browsers and edge
 * workers load.
 */

/** A listing of a snapshot, with the number of its segment. */
export interface StoredListing extends DirectoryEntry {
  readonly segment: number;
}

/** Some segments, with all that is stored of their listings. */
export class StoredSegments extends SegmentReader {
  #live: readonly Uint32Array[] | null = null;

  /** By segment, the rows of its directory that no later segment replaces. */
  async live(): Promise<readonly Uint32Array[]> {
    this.#live ??= liveRows((await this.directories()).map(directoryHosts));
    return this.#live;
  }

  /** The hosts of all live listings. */
  async hosts(): Promise<string[]> {
    const directories = await this.directories();
    const live = await this.live();
    return directories.flatMap(({ hosts }, segment) =>
      Array.from(itemAt(live, segment), (row) => textAt(hosts, row)),
    );
  }

  /**
   * The listings of a segment.
   * @param rows of its directory. Default: the live ones
   */
  async entries(segment: number, rows?: Uint32Array): Promise<StoredListing[]> {
    const wanted = rows ?? (await this.live())[segment] ?? new Uint32Array(0);
    const entries = await this.entriesWithoutSearch(segment, wanted);
    const searches = await this.#searches(
      segment,
      entries.map(({ host }) => host),
    );
    return entries.map((entry) => ({ ...entry, search: searches.get(entry.host) ?? null }));
  }

  /** Listings of a segment without what the search knows about them: reads no table. @param rows of its directory */
  async entriesWithoutSearch(segment: number, rows: Uint32Array): Promise<StoredListing[]> {
    const directory = await this.directory(segment);
    return Array.from(rows, (row) => ({ ...entryAt(directory, row), segment }));
  }

  /** The listings at some rows, by host. Reads each table once. */
  async entriesAt(rows: readonly ListingRow[]): Promise<Map<string, StoredListing>> {
    const bySegment = new Map<number, number[]>();
    for (const { segment, row } of rows) addTo(bySegment, segment, row);
    const entries = new Map<string, StoredListing>();
    for (const [segment, some] of bySegment) {
      for (const entry of await this.entries(segment, Uint32Array.from(some)))
        entries.set(entry.host, entry);
    }
    return entries;
  }

  /** The listings of all segments, one segment after another. */
  async *allEntries(): AsyncGenerator<StoredListing, void> {
    for (const segment of this.segments.keys()) yield* await this.entries(segment);
  }

  /** The search data of those hosts that are in a segment's table. */
  async #searches(
    segment: number,
    hosts: readonly string[],
  ): Promise<Map<string, NonNullable<ListingEntry["search"]>>> {
    const table = await this.table(segment);
    return this.readingTable(segment, () => {
      const rowsByHost = new Map(table.hosts.map((host, row) => [host, row]));
      const found = hosts.filter((host) => rowsByHost.has(host));
      const rows = Uint32Array.from(found, (host) => rowsByHost.get(host)!);
      const columns = table.rows(rows);
      const kept = table.gists(rows);
      return new Map(
        found.map((host, at) => {
          const summary: SiteSummary = storedJson(columns.summary(at));
          const { latestScannedAt } = summary;
          const recent = latestScannedAt ? instantKey(latestScannedAt) : "";
          return [host, { summary, recent, gists: itemAt(kept, at).gists }];
        }),
      );
    });
  }

  /** What an extra keeps of the reports of all listings in search, segment by segment. Null: nothing of one. */
  async gists(extra: string): Promise<ListingGist[]> {
    const start = `${extra} `;
    const rows = await this.readLive((table, live) => table.gists(live));
    return rows.flat().map(({ host, score, gists }) => {
      const gist = gists.find((one) => one.startsWith(start))?.slice(start.length) ?? null;
      return { host, score, gist };
    });
  }

  /** All rows of a segment's table, as columns. */
  async rows(segment: number): Promise<ListingColumns> {
    const table = await this.table(segment);
    return this.readingTable(segment, () => table.rows(Uint32Array.from(table.hosts.keys())));
  }
}

/** A listing in search, and what an extra keeps of its latest report. */
export interface ListingGist extends Pick<GistRow, "host" | "score"> {
  readonly gist: string | null;
}

/** A listing in two snapshots; null in a snapshot that does not have it. */
export interface ListingChange {
  readonly host: string;
  readonly before: DirectoryEntry | null;
  readonly after: DirectoryEntry | null;
}

/** Listings whose entries are in memory at the same time. */
const IN_MEMORY = 4_096;

/**
 * The listings that differ between two snapshots, in no particular order. Reads the directories of both, and only the
 * tables of segments that have a changed listing.
 * @param known entries of `before` that have been read already, by host
 * @throws BadSnapshotError if a file is missing or damaged
 */
export async function* listingChanges(
  before: StoredSegments,
  after: StoredSegments,
  known: ReadonlyMap<string, DirectoryEntry> = new Map(),
): AsyncGenerator<ListingChange, void> {
  const shared = sharedFiles(before.segments, after.segments);
  const hosts = new Set([...(await hostsOf(before, shared)), ...(await hostsOf(after, shared))]);
  const changed: Changed[] = [];
  for (const host of hosts) {
    const hash = hostHash(host);
    const old = await before.find(host, hash);
    const now = await after.find(host, hash);
    if ((await contentAtRow(before, old)) !== (await contentAtRow(after, now)))
      changed.push({ host, hash, old, now });
  }
  // Segments of a full build have neighbouring hashes, so that each table is read about once.
  changed.sort((a, b) => a.hash - b.hash);
  for (let at = 0; at < changed.length; at += IN_MEMORY) {
    const some = changed.slice(at, at + IN_MEMORY);
    const olds = await before.entriesAt(
      some.flatMap(({ host, old }) => (known.has(host) ? [] : (old ?? []))),
    );
    const nows = await after.entriesAt(some.flatMap(({ now }) => now ?? []));
    for (const { host } of some) {
      yield {
        host,
        before: known.get(host) ?? olds.get(host) ?? null,
        after: nows.get(host) ?? null,
      };
    }
  }
}

interface Changed {
  readonly host: string;
  readonly hash: number;
  readonly old: ListingRow | null;
  readonly now: ListingRow | null;
}

/** The packs that both sides have. */
function sharedFiles(before: readonly Segment[], after: readonly Segment[]): Set<string> {
  const files = new Set(before.map(({ pack }) => pack.file));
  return new Set(after.map(({ pack }) => pack.file).filter((file) => files.has(file)));
}

/** The hosts of the segments that are not shared. */
async function hostsOf(set: StoredSegments, shared: ReadonlySet<string>): Promise<string[]> {
  const hosts: string[][] = [];
  for (const [segment, { pack }] of set.segments.entries()) {
    if (!shared.has(pack.file)) hosts.push(directoryHosts(await set.directory(segment)));
  }
  return hosts.flat();
}

async function contentAtRow(set: StoredSegments, found: ListingRow | null): Promise<string | null> {
  return found === null ? null : contentAt(await set.directory(found.segment), found.row);
}
