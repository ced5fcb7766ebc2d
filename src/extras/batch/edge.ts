import { hostsPost, readOf } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { BATCH } from "./reads.js";

/** Loaded with the first request: the script of an edge worker or a browser stays small. */
const load = () => import("./batch.js");

/** The summaries of many hosts with one request. */
export function batch(): AnswerExtra {
  const read = readOf(BATCH.query, async ({ host }, snapshot) =>
    (await load()).batchContent("host", host, snapshot),
  );
  const post = hostsPost(async (value, snapshot) =>
    (await load()).postedBatchContent(value, snapshot),
  );
  return { name: "batch", reads: { batch: { ...BATCH, read: { ...read, post } } } };
}
