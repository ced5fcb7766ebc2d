import type { BatchQuery } from "../../contract/extensions.js";
import type { SnapshotView } from "../answer/content.js";
import { meantHost } from "../answer/routing.js";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The body of `/api/batch`, in UTF-8: what search answers of each host, in the order of the request. */
export async function batchBody(
  { host: asked }: BatchQuery,
  snapshot: SnapshotView,
): Promise<Uint8Array> {
  const items: string[] = [];
  for (const text of asked) items.push(await itemOf(text, snapshot));
  return encoder.encode(`{"data":[${items.join(",")}]}`);
}

async function itemOf(asked: string, snapshot: SnapshotView): Promise<string> {
  const host = meantHost(asked) ?? asked;
  const summary = await snapshot.summaryOf(host);
  const named = JSON.stringify({
    host,
    ...(asked !== host && { asked }),
    listed: summary !== undefined,
  });
  return summary === undefined ? named : `${named.slice(0, -1)},"site":${decoder.decode(summary)}}`;
}
