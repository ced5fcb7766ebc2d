import type { Extension } from "../../contract/extensions.js";
import { NoQuery, type ParameterTable, type QueryOf } from "../../contract/query.js";
import { pattern } from "../../contract/values.js";
import { crawlerListFile, dumpAddress } from "./names.js";

/** GET /api/dump/{file}. */
export const DumpQuery = {
  content: {
    kind: pattern(/^[0-9a-f]{32}$/, "must be the `content` of a dump: 32 hexadecimal digits", {
      maxLength: 32,
    }),
    description:
      "The dump that is meant, by its `content`. Once another one has replaced it, the answer is a " +
      "410. Default: the latest.",
    example: "4f7c05433bf392a2d85464860ba54b23",
  },
} as const satisfies ParameterTable;
export type DumpQuery = QueryOf<typeof DumpQuery>;

/** The text of the error while the dump is made. */
export const UNFINISHED = "The dump is being made; try again shortly.";

export const DUMP = {
  id: "getDump",
  path: "/api/dump/",
  query: NoQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 502, 503],
  example: "/api/dump/",
  purged: { after: "publication", api: "/api/dump/*", pages: "/api/dump/*" },
} as const satisfies Extension;

export const DUMP_FILE = {
  id: "getDumpFile",
  path: "/api/dump/{file}",
  query: DumpQuery,
  contentType: "application/octet-stream",
  cache: "directory",
  errors: [400, 404, 410, 502, 503],
  example: `/${dumpAddress("category-health.txt")}`,
} as const satisfies Extension;

export const DUMP_LIST = {
  ...DUMP_FILE,
  id: "getDumpList",
  path: `/${dumpAddress(crawlerListFile("{file}"))}`,
  contentType: "text/plain; charset=utf-8",
  example: `/${dumpAddress(crawlerListFile("gptbot-allowed.txt"))}`,
} as const satisfies Extension;
