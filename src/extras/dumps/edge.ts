import { readOf } from "../../answer/content.js";
import type { AnswerExtra } from "../../answer/extra.js";
import type { MakeDump } from "./dump-files.js";
import { DUMP_FILES, DUMP_INDEX, dumpAddress, LISTING_FILE_NAMES } from "./names.js";
import { DUMP, DUMP_FILE, DUMP_LIST } from "./reads.js";

/** Loaded with the first request: the script of an edge worker or a browser stays small. */
const load = () => import("./dump.js");

/**
 * All listings as files to download.
 * @param thread makes files while other requests are answered. Default: the platform has no threads
 */
export function dumps(thread?: MakeDump): AnswerExtra {
  return {
    name: "dumps",
    reads: {
      dump: {
        ...DUMP,
        read: readOf(DUMP.query, async (_, snapshot) =>
          (await load()).dumpIndexContent(snapshot, thread),
        ),
      },
      dumpFile: {
        ...DUMP_FILE,
        read: readOf(DUMP_FILE.query, async (query, snapshot, file) =>
          (await load()).dumpFileContent(query, snapshot, file, thread),
        ),
      },
      dumpList: {
        ...DUMP_LIST,
        read: readOf(DUMP_LIST.query, async (query, snapshot, file) =>
          (await load()).dumpListContent(query, snapshot, file),
        ),
      },
    },
    downloads: {
      index: dumpAddress(DUMP_INDEX),
      formats: "Parquet, NDJSON and CSV",
      files: LISTING_FILE_NAMES.map((name) => ({
        address: dumpAddress(name),
        contentType: DUMP_FILES[name],
      })),
    },
  };
}
