import { hash } from "node:crypto";
import { FINDINGS_MAX, type Finding, NO_FINDINGS } from "./finding.js";
import type { RecordsOf } from "./kinds.js";

/**
 * A notice is a mistake that is no error: a value that is allowed and probably not meant. Notices are
 * counted by their message over all records, and each message is shown once, at its first place. This is
 * how many a single record has of each.
 */
export type RecordNotices = ReadonlyMap<string, number>;

/**
 * Notices by `noticeId`, then by the hash of the host whose records have them, with their number there.
 * They are kept for later builds, so they hold no values of records: those may be withdrawn meanwhile.
 */
export type NoticeCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The notices of all records that were read. It can be posted to a thread. */
export type AllNotices = Readonly<Record<RecordsOf, NoticeCounts>>;

/** Messages that are told apart. Further ones are counted together. */
const MESSAGES_MAX = 10_000;
const MORE_OF_RECORD = `has more kinds of mistakes than the ${FINDINGS_MAX} that are named of a record`;
const MORE_OF_ALL = `has a mistake of another kind than the ${MESSAGES_MAX} that are named`;

const ID_OF_REST = noticeId(MORE_OF_ALL);

const NONE: RecordNotices = new Map();

/** Stands for a notice's message. In hex. */
export function noticeId(message: string): string {
  return hash("sha256", message).slice(0, 32);
}

/** The message of those notices that were counted together because there are too many; null for others. */
export function messageOfRest(id: string): string | null {
  return id === ID_OF_REST ? MORE_OF_ALL : null;
}

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
  set(
    records: RecordsOf,
    hash: number,
    ofRecords: readonly { readonly notices: RecordNotices }[],
  ): void {
    const sums = new Map<string, number>();
    for (const { notices } of ofRecords) {
      for (const [message, count] of notices) sums.set(message, (sums.get(message) ?? 0) + count);
    }
    for (const [message, count] of sums) this.#put(records, noticeId(message), hash, count);
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
      for (const [id, byHash] of notices[records]) {
        for (const [hash, count] of byHash) this.#put(records, id, hash, count);
      }
    }
  }

  #put(records: RecordsOf, id: string, hash: number, count: number): void {
    const counts = this.#counts[records];
    const isNew = !counts.has(id);
    const kept = isNew && counts.size >= MESSAGES_MAX ? ID_OF_REST : id;
    const byHash = counts.get(kept) ?? new Map<number, number>();
    counts.set(kept, byHash);
    byHash.set(hash, count);
  }
}

function newCounts(): Map<string, Map<number, number>> {
  return new Map();
}
