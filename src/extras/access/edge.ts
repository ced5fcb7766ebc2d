import { hostsPost, readOf } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { PAGES } from "./pages.js";
import { ACCESS_READ, PREFLIGHT } from "./reads.js";

/* Loaded with the first request: the script of an edge worker or a browser stays small. */
const loadPreflight = () => import("./preflight.js");
const loadAccess = () => import("./access.js");

/** What reports say about access: for many hosts, and for one crawler, as reads and as pages. */
export function access(): AnswerExtra {
  const read = readOf(PREFLIGHT.query, async ({ host, crawler }, snapshot) =>
    (await loadPreflight()).preflightContent("host", host, crawler, snapshot),
  );
  const post = hostsPost(async (value, snapshot) =>
    (await loadPreflight()).postedPreflightContent(value, snapshot),
  );
  return {
    name: "access",
    pages: PAGES,
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
