import { resolve } from "node:path";
import { writeRefusal } from "../files/writable.js";
import type { PullState } from "../runtime/observe/observer.js";

/**
 * Says why a replica is not ready: it cannot store what it pulls, or pulls have failed for too long. It may then answer from
 * an old snapshot, while another replica has a newer one.
 * @param maxAgeMs milliseconds that pulls may fail
 * @returns undefined if it is ready. Never rejects
 */
export async function whyUnready(
  store: string,
  { ageSeconds }: PullState,
  maxAgeMs: number,
): Promise<string | undefined> {
  const refusal = await writeRefusal(resolve(store));
  if (refusal !== null) return `the store cannot be written (${refusal})`;
  if (ageSeconds * 1_000 <= maxAgeMs) return undefined;
  return `no pull has succeeded for ${Math.floor(ageSeconds)} seconds`;
}
