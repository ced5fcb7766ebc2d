import { BadSnapshotError } from "../../store/bad-snapshot.js";
import type { Log } from "./reload.js";
import type { LoadedSnapshot } from "./snapshot.js";

/** Different damages logged for one snapshot: without a limit, a deleted store would fill the log. */
const DAMAGES_LOGGED = 1_000;

/** Logs why a request got a 502, once for each cause while a snapshot is loaded. */
export function logDamage(log: Log, snapshot: LoadedSnapshot | null, error: Error): void {
  // The message of a damaged file says everything. Any other error is our own mistake, and its stack helps to find it.
  const cause = error instanceof BadSnapshotError ? error.message : String(error.stack);
  const logged = snapshot?.damages;
  if (logged === undefined || logged.has(cause) || logged.size >= DAMAGES_LOGGED) return;
  logged.add(cause);
  log(`answered 502: ${cause}`, "trouble");
}
