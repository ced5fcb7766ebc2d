import type { TreeExtra } from "../../extra.js";
import {
  CROISSANT,
  CROISSANT_TYPE,
  crawlerListFile,
  DUMP_FILES,
  DUMP_INDEX,
  dumpAddress,
  LISTING_FILE_NAMES,
} from "./names.js";
import { DUMP } from "./reads.js";

const { cache } = DUMP;

/** The files of the dump in a tree. */
export const DUMP_TREE: TreeExtra = {
  kinds: [
    { file: dumpAddress(DUMP_INDEX), cache },
    ...LISTING_FILE_NAMES.map((name) => ({
      file: dumpAddress(name),
      cache,
      isUncommon: name === "listings.parquet",
    })),
    { file: dumpAddress("{name}.txt"), cache },
    { file: dumpAddress(crawlerListFile("{name}.txt")), cache },
    { file: dumpAddress(CROISSANT), cache, contentType: CROISSANT_TYPE },
  ],
  types: {
    parquet: DUMP_FILES["listings.parquet"],
    gz: DUMP_FILES["listings.ndjson.gz"],
  },
  files: async (snapshot) => {
    const { dumpFileNames } = await import("./dump.js");
    return (await dumpFileNames(snapshot)).map((name) => ({ path: dumpAddress(name) }));
  },
};
