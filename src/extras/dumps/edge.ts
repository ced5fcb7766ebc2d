import { readOf } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import { DUMP, DUMP_FILE } from "./reads.js";

/** Loaded with the first request: the script of an edge worker or a browser stays small. */
const load = () => import("./dump.js");

/** All listings as files to download. */
export function dumps(): AnswerExtra {
  return {
    name: "dumps",
    reads: {
      dump: {
        ...DUMP,
        read: readOf(DUMP.query, async (_, snapshot) => (await load()).dumpIndexContent(snapshot)),
      },
      dumpFile: {
        ...DUMP_FILE,
        read: readOf(DUMP_FILE.query, async (query, snapshot, file) =>
          (await load()).dumpFileContent(query, snapshot, file),
        ),
      },
    },
  };
}
