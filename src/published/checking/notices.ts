import { hash } from "node:crypto";
import { FINDINGS_MAX, type Finding, NO_FINDINGS } from "./finding.js";
import type { RecordsOf } from "./kinds.js";

/**
 * The notices of one record: how often it has each message. A notice is a probable mistake but not an error:
 * the value is allowed, but probably not meant. Notices are counted by message over all records, and each
 * message is shown once, at its first position.
 */
export type RecordNotices = ReadonlyMap<string, number>;

/**
 * How many notices there are, by `noticeId`, then by the hash of the host whose records have them. Later
 * builds reuse these counts, so they hold no values of records: a publisher may withdraw a record meanwhile.
 */
export type NoticeCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** The notices of all records read so far. It can be posted to a thread. */
export type AllNotices = Readonly<Record<RecordsOf, NoticeCounts>>;

/** How many different messages are counted separately for each kind of record. All others are counted together. */
const MESSAGES_MAX = 10_000;
const MORE_OF_RECORD = `has more kinds of mistakes than the ${FINDINGS_MAX} that are reported for one record`;
const MORE_OF_ALL = `has a mistake beyond the ${MESSAGES_MAX} kinds that are reported`;

const ID_OF_REST = noticeId(MORE_OF_ALL);

const NO_NOTICES: RecordNotices = new Map();

/** A short digest of a notice's message, in hex. */
export function noticeId(message: string): string {
  return hash("sha256", message).slice(0, 32);
}

/** The common message of the notices beyond `MESSAGES_MAX` if `id` is theirs; null for any other id. */
export function messageOfRest(id: string): string | null {
  return id === ID_OF_REST ? MORE_OF_ALL : null;
}

/** Counts a record's notices by their messages. */
export function countNotices(findings: Iterable<Finding>): RecordNotices {
  if (findings === NO_FINDINGS) return NO_NOTICES;
  let counts: Map<string, number> | null = null;
  for (const { message } of findings) {
    counts ??= new Map();
    const isNew = !counts.has(message);
    const shown = isNew && counts.size >= FINDINGS_MAX ? MORE_OF_RECORD : message;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return counts ?? NO_NOTICES;
}

/** Collects the notices of records, host by host. */
export class NoticeList {
  #counts = { listings: newCounts(), scans: newCounts() };

  get counts(): AllNotices {
    return this.#counts;
  }

  /**
   * Sets the notices of the hosts with one hash, from all their records. Replaces earlier counts of these
   * messages, so a host that is read twice is counted once.
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

  /** Hands over the notices collected so far, and empties the list. */
  take(): AllNotices {
    const taken = this.#counts;
    this.#counts = { listings: newCounts(), scans: newCounts() };
    return taken;
  }

  /** Adds the notices that another list handed over. */
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
