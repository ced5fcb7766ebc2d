import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A real published directory. */
interface RealDirectory {
  readonly folder: string;
  readonly listings: number;
  readonly scans: number;
}

const full = {
  folder: fileURLToPath(new URL("../../shared/published", import.meta.url)),
  listings: 1_503,
  scans: 2_052,
};

/** 200 listings of it, which are part of the project (see NOTICE). */
const committed = {
  folder: fileURLToPath(new URL("real", import.meta.url)),
  listings: 200,
  scans: 273,
};

/** The whole real directory if it lies beside the project, else the listings of it that the project contains. */
export const REAL: RealDirectory = existsSync(full.folder) ? full : committed;
