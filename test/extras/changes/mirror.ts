import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type { SnapshotView } from "../../../src/answer/content.js";
import type { SiteSummary } from "../../../src/contract/listing.js";
import { ChangesBody } from "../../../src/extras/changes/bodies.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { currentId } from "../../../src/store/reader.js";
import { asked } from "../../server/asked.js";
import { answersIn } from "../../store/answers.js";

/** All sites in search, by host. */
export type Sites = Record<string, SiteSummary>;

export async function sitesIn(store: string): Promise<Sites> {
  const all = Object.entries(await answersIn(store));
  return Object.fromEntries(
    all.flatMap(([host, { search }]) => (search ? [[host, search.summary]] : [])),
  );
}

/** The sites in search, and the number of their publication: from the dump, if an extra makes one. */
export async function dumpOf(store: string): Promise<{ sites: Sites; cursor: string }> {
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  const { status, headers, bytes } = await asked(snapshot, "/api/dump/listings.ndjson.gz");
  close();
  const cursor = `${snapshot.history.generation}`;
  if (status === 404) return { sites: await sitesIn(store), cursor };
  expect(headers["X-Crawldex-Generation"]).toBe(cursor);
  const lines = gunzipSync(bytes).toString("utf8").split("\n").slice(0, -1);
  const all = lines.map((line): SiteSummary => JSON.parse(line));
  return { sites: Object.fromEntries(all.map((site) => [site.host, site])), cursor };
}

/** What a store's current snapshot answers to reads of its changes: all pages from a cursor on. */
export async function changesFrom(store: string, since: string, limit: number) {
  const { snapshot, close } = await loadSnapshot(store, (await currentId(store)) ?? "");
  const changes = await changesOf(snapshot, since, limit);
  close();
  return changes;
}

/** The same of a snapshot that is loaded. */
export async function changesOf(snapshot: SnapshotView, since: string, limit: number) {
  const data: ReturnType<typeof ChangesBody.parse>["data"] = [];
  let cursor = since;
  for (let next: string | null = `/api/changes?since=${since}&limit=${limit}`; next !== null; ) {
    const { status, bytes } = await asked(snapshot, next);
    expect([status, next]).toEqual([200, next]);
    const page = ChangesBody.parse(JSON.parse(bytes.toString("utf8")));
    expect(page.data.length).toBeLessThanOrEqual(limit);
    data.push(...page.data);
    ({ cursor, next } = page);
  }
  return { data, cursor };
}

/** A copy of all sites that reads nothing but changes. */
export class Mirror {
  readonly sites: Sites;
  #cursor: string;

  constructor(sites: Sites, cursor: string) {
    this.sites = { ...sites };
    this.#cursor = cursor;
  }

  async follow(store: string, limit: number): Promise<void> {
    const { data, cursor } = await changesFrom(store, this.#cursor, limit);
    for (const { host, site } of data) {
      if (host === null) continue;
      if (site === null) delete this.sites[host];
      else this.sites[host] = site;
    }
    this.#cursor = cursor;
  }
}
