import { z } from "zod";
import { RECORDS } from "../published/checking/kinds.js";
import type { AllNotices, NoticeCounts } from "../published/checking/notices.js";

/**
 * The notices about records (published/checking/notices.ts) in the builder's notes, so that a build can
 * repeat those of records that have not changed.
 */
export const NotedNotice = z.strictObject({
  records: z.enum(RECORDS),
  /** The `noticeId` of the notice's message. */
  id: z.string(),
  /**
   * Pairs of 32-bit numbers in the machine's byte order, in base64: a host's hash, and how often its
   * records have this notice.
   */
  hosts: z.string(),
});
export type NotedNotice = z.infer<typeof NotedNotice>;

export function notedNotices(notices: AllNotices): NotedNotice[] {
  return RECORDS.flatMap((records) =>
    Array.from(notices[records], ([id, byHash]) => ({
      records,
      id,
      hosts: Buffer.from(Uint32Array.from([...byHash].flat()).buffer).toString("base64"),
    })),
  );
}

/** @param holds whether the records of the hosts with this hash are the same as when the notes were written */
export function recalledNotices(
  noted: readonly NotedNotice[],
  holds: (hash: number) => boolean,
): AllNotices {
  const of = (kind: NotedNotice["records"]): NoticeCounts => {
    const ofKind = noted.filter(({ records }) => records === kind);
    return new Map(ofKind.map(({ id, hosts }) => [id, countsIn(hosts, holds)]));
  };
  return { listings: of("listings"), scans: of("scans") };
}

function countsIn(hosts: string, holds: (hash: number) => boolean): Map<number, number> {
  // Copies the bytes, because a small Buffer may start at an offset that is not a multiple of 4.
  const words = new Uint32Array(new Uint8Array(Buffer.from(hosts, "base64")).buffer);
  const counts = new Map<number, number>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [hash = 0, count = 0] = words.subarray(at, at + 2);
    if (holds(hash)) counts.set(hash, count);
  }
  return counts;
}
