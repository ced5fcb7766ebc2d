import { checkPackSizes } from "../../src/server/load.js";
import type { ListingEntry } from "../../src/store/format.js";
import { currentId, StoredSnapshot } from "../../src/store/reader.js";
import { answerRef } from "../../src/store/segments/directory.js";

/** All that a listing is answered with. */
export interface Answers extends Pick<ListingEntry, "search" | "publishedScan" | "locked"> {
  readonly report: string;
  readonly enrichment: string;
  /** Bodies by their scans, newest first. */
  readonly historical: readonly (readonly [string, string])[];
}

/** Opens a snapshot whose packs are there, by their sizes. @throws BadSnapshotError */
export async function openWhole(
  store: string,
  id: string,
  { openManifest }: Pick<typeof StoredSnapshot, "openManifest"> = StoredSnapshot,
): Promise<StoredSnapshot> {
  const snapshot = await openManifest(store, id);
  const { segments } = snapshot.manifest;
  await checkPackSizes({ store, hasPacks: true, segments }, async () => {});
  return snapshot;
}

/** What a store's current snapshot, or another one, answers of each host. */
export async function answersIn(store: string, id?: string): Promise<Record<string, Answers>> {
  const snapshot = await openWhole(store, id ?? (await currentId(store)) ?? "");
  const answers: Record<string, Answers> = {};
  for await (const entry of snapshot.listings.allEntries()) {
    const read = async (location: ListingEntry["report"]) =>
      new TextDecoder().decode(await snapshot.readAnswer(answerRef(entry.segment, location)));
    const historical = [];
    for (const { scan, report } of entry.historical) {
      historical.push([scan, await read(report)] as const);
    }
    const { host, search, publishedScan, locked } = entry;
    const report = await read(entry.report);
    const enrichment = await read(entry.enrichment);
    answers[host] = { search, publishedScan, locked, report, enrichment, historical };
  }
  snapshot.close();
  return answers;
}

/**
 * All that a store's current snapshot serves: two snapshots of the same records agree in it, whatever builds led to
 * them, so without the history and what extras add. Documents stand for themselves by their checksums.
 */
export async function servedBy(store: string) {
  const snapshot = await openWhole(store, (await currentId(store)) ?? "");
  snapshot.close();
  const {
    segments: _,
    history: __,
    extras: ___,
    public: documents,
    ...manifest
  } = snapshot.manifest;
  return { ...manifest, documents, answers: await answersIn(store) };
}
