import { readOf, type SnapshotView } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { METHODS } from "../../contract/headers.js";
import { ACCESS_READ, PREFLIGHT } from "./reads.js";

/* Loaded with the first request: the script of an edge worker or a browser stays small. */
const loadPreflight = () => import("./preflight.js");
const loadAccess = () => import("./access.js");

/** The most bytes of a posted list. A host has 253 characters; pasted addresses of ordinary length fit as well. */
const POSTED_BYTES_MAX = 256_000;

/** What reports say about access: for many hosts, and for one crawler. */
export function access(): AnswerExtra {
  const read = readOf(PREFLIGHT.query, async ({ host, crawler }, snapshot) =>
    (await loadPreflight()).preflightContent("host", host, crawler, snapshot),
  );
  const post = {
    methods: METHODS.replace("HEAD", "HEAD, POST"),
    bytesMax: POSTED_BYTES_MAX,
    answer: async ({ value }: { readonly value: unknown }, snapshot: SnapshotView) =>
      (await loadPreflight()).postedPreflightContent(value, snapshot),
  };
  return {
    name: "access",
    reads: {
      preflight: { ...PREFLIGHT, read: { ...read, post } },
      access: {
        ...ACCESS_READ,
        read: readOf(ACCESS_READ.query, async (query, snapshot) =>
          (await loadAccess()).accessContent(query, snapshot),
        ),
      },
    },
  };
}
