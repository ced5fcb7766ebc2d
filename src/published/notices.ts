import { FINDINGS_MAX, type Finding, NO_FINDINGS } from "./finding.js";
import type { RecordsOf } from "./kinds.js";

/**
 * A notice is a mistake that is no error: a value that is allowed and probably not meant. Notices are
 * counted by their message over all records, and each message is shown once, at its first place. This is
 * how many a single record has of each.
 */
export type RecordNotices = ReadonlyMap<string, number>;

/** Notices by message, then by the hash of the host whose records have them, with their number there. */
export type NoticeCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The notices of all records that were read. It can be posted to a thread. */
export type AllNotices = Readonly<Record<RecordsOf, NoticeCounts>>;

/** Messages that are told apart. Further ones are counted together. */
const MESSAGES_MAX = 10_000;
const MORE_OF_RECORD = `has more kinds of mistakes than the ${FINDINGS_MAX} that are named of a record`;
const MORE_OF_ALL = `has a mistake of another kind than the ${MESSAGES_MAX} that are named`;

const NONE: RecordNotices = new Map();

/** Counts a record's notices by their messages. */
export function countNotices(findings: Iterable<Finding>): RecordNotices {
  if (findings === NO_FINDINGS) return NONE;
  let counts: Map<string, number> | null = null;
  for (const { message } of findings) {
    counts ??= new Map();
    const isNew = !counts.has(message);
    const shown = isNew && counts.size >= FINDINGS_MAX ? MORE_OF_RECORD : message;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return counts ?? NONE;
}

/** Collects the notices of records, host by host. */
export class NoticeList {
  #counts = { listings: newCounts(), scans: newCounts() };

  get counts(): AllNotices {
    return this.#counts;
  }

  /**
   * Takes in the notices of all records of the hosts with one hash, in place of those known so far: a
   * host that is read twice is counted once.
   */
  set(records: RecordsOf, hash: number, ofRecords: readonly RecordNotices[]): void {
    if (ofRecords.every((notices) => notices.size === 0)) return;
    const sums = new Map<string, number>();
    for (const notices of ofRecords) {
      for (const [message, count] of notices) sums.set(message, (sums.get(message) ?? 0) + count);
    }
    for (const [message, count] of sums) this.#put(records, message, hash, count);
  }

  /** Hands over what was collected, and begins anew. */
  take(): AllNotices {
    const taken = this.#counts;
    this.#counts = { listings: newCounts(), scans: newCounts() };
    return taken;
  }

  /** Adds what another list has handed over. */
  receive(notices: AllNotices): void {
    for (const records of ["listings", "scans"] as const) {
      for (const [message, byHash] of notices[records]) {
        for (const [hash, count] of byHash) this.#put(records, message, hash, count);
      }
    }
  }

  #put(records: RecordsOf, message: string, hash: number, count: number): void {
    const counts = this.#counts[records];
    const isNew = !counts.has(message);
    const shown = isNew && counts.size >= MESSAGES_MAX ? MORE_OF_ALL : message;
    const byHash = counts.get(shown) ?? new Map<number, number>();
    counts.set(shown, byHash);
    byHash.set(hash, count);
  }
}

function newCounts(): Map<string, Map<number, number>> {
  return new Map();
}
