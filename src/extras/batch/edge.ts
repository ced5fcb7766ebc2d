import { readOf, type SnapshotView } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { METHODS } from "../../contract/headers.js";
import { BATCH } from "./reads.js";

/** Loaded with the first request: the script of an edge worker or a browser stays small. */
const load = () => import("./batch.js");

/** The most bytes of a posted list. A host has 253 characters; pasted addresses of ordinary length fit as well. */
const POSTED_BYTES_MAX = 256_000;

/** The summaries of many hosts with one request. */
export function batch(): AnswerExtra {
  const read = readOf(BATCH.query, async ({ host }, snapshot) =>
    (await load()).batchContent("host", host, snapshot),
  );
  const post = {
    methods: METHODS.replace("HEAD", "HEAD, POST"),
    bytesMax: POSTED_BYTES_MAX,
    answer: async ({ value }: { readonly value: unknown }, snapshot: SnapshotView) =>
      (await load()).postedBatchContent(value, snapshot),
  };
  return { name: "batch", reads: { batch: { ...BATCH, read: { ...read, post } } } };
}
