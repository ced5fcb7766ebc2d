import { z } from "zod";
import type { AllNotices, NoticeCounts } from "../published/checking/notices.js";

/** The notices of records (published/checking/notices.ts) in the builder's notes, so that kept buckets have theirs. */
export const NotedNotice = z.strictObject({
  records: z.enum(["listings", "scans"]),
  /** `noticeId` of its message. */
  id: z.string(),
  /** Pairs of 32 bits in base64, as the machine has numbers: a host's hash, how often its records have it. */
  hosts: z.string(),
});
export type NotedNotice = z.infer<typeof NotedNotice>;

export function notedNotices(notices: AllNotices): NotedNotice[] {
  return (["listings", "scans"] as const).flatMap((records) =>
    Array.from(notices[records], ([id, byHash]) => ({
      records,
      id,
      hosts: Buffer.from(Uint32Array.from([...byHash].flat()).buffer).toString("base64"),
    })),
  );
}

/** @param holds whether the records of the hosts with a hash are those that were noted */
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
  // A copy of its own: a small buffer may begin where no number of 32 bits can.
  const words = new Uint32Array(new Uint8Array(Buffer.from(hosts, "base64")).buffer);
  const counts = new Map<number, number>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    if (holds(words[at]!)) counts.set(words[at]!, words[at + 1]!);
  }
  return counts;
}
