import { readDrawn } from "../pages/report/excerpt.js";
import { drawnContent, isFailure, type SnapshotView } from "./content.js";

/** The reports read from stored bytes: an export makes several files from the same bytes. */
const drawnReports = new WeakMap<Uint8Array, ReturnType<typeof readDrawn>>();

/** Reads a report as pages draw it. */
export async function drawnReportOf(
  snapshot: SnapshotView,
  host: string,
  scan: string | undefined,
) {
  const stored = await drawnContent(snapshot, host, scan);
  if (isFailure(stored)) return stored;
  const bytes = await stored.read();
  const drawn = drawnReports.get(bytes) ?? readDrawn(bytes);
  drawnReports.set(bytes, drawn);
  return drawn;
}
