import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { Proof } from "../../../src/extras/signing/bodies.js";
import { build } from "../../../src/publish/build.js";
import { requireCurrent } from "../../../src/publish/snapshots.js";
import { loadSnapshot } from "../../../src/server/load-snapshot.js";
import { aScan, type PublishedFiles, temporaryFolder, writePublished } from "../../fixtures.js";
import { asked } from "../../server/asked.js";
import { FOUR, manyListings } from "../../store/trees.js";
import { aKeyPair } from "./keys.js";

/** A signed store into which directories were built one after the other. */
export async function aSignedStore(...directories: readonly PublishedFiles[]) {
  const folder = await temporaryFolder();
  const keys = await aKeyPair(folder);
  const store = join(folder, "store");
  const publish = async (files: PublishedFiles) => {
    const published = await writePublished(await temporaryFolder(), files);
    await build(published, { store, ...FOUR, signingKey: keys.secretText });
  };
  for (const files of directories) await publish(files);
  return { folder, store, keys, publish };
}

export async function viewOf(store: string) {
  const { snapshot, close } = await loadSnapshot(store, await requireCurrent(store));
  onTestFinished(close);
  return snapshot;
}
export type View = Parameters<typeof asked>[0];

export const proofTarget = (address: string) => `/api/proof?of=${encodeURIComponent(address)}`;

export async function proofOf(snapshot: View, address: string): Promise<string> {
  const { status, bytes } = await asked(snapshot, proofTarget(address));
  expect([address, status]).toEqual([address, 200]);
  return bytes.toString("utf8");
}

export function proofIn(text: string): Proof {
  const body: { data: Proof } = JSON.parse(text);
  return body.data;
}

/** Sixty listings in four segments; then some have a newer scan, and are in a fifth segment. */
export function grown(): [PublishedFiles, PublishedFiles] {
  const first = manyListings();
  const newer = first.listings.flatMap(({ host }, at) =>
    at % 10 === 0 ? aScan({ host, id: "newer", finishedAt: "2099-01-01T00:00:00Z" }) : [],
  );
  return [first, { ...first, scans: [...first.scans, ...newer] }];
}

/** A proof of a report that needs an absence between two neighbours. */
export async function withAbsence(snapshot: View, { listings }: PublishedFiles) {
  for (const { host } of listings) {
    const text = await proofOf(snapshot, `/api/sites/${host}/report`);
    const [, absence] = proofIn(text).steps;
    if (absence?.step === "absence" && absence.neighbours.length === 2) return { host, text };
  }
  throw new Error("no proof has an absence");
}
