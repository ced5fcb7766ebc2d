import type { Extra } from "../extra.js";
import { access } from "./access/index.js";
import { batch } from "./batch/index.js";
import { cards } from "./cards/index.js";
import { changes } from "./changes/index.js";
import { clickHouse } from "./clickhouse/index.js";
import { compare } from "./compare/index.js";
import { dumps } from "./dumps/index.js";
import { importing } from "./import/index.js";
import { mcp } from "./mcp/index.js";
import { methodology } from "./methodology/index.js";
import { parts } from "./parts/index.js";
import { peers } from "./peers/index.js";
import { remote } from "./remote/index.js";
import { searchFiles } from "./search-files/index.js";
import { signing } from "./signing/index.js";
import { trends } from "./trends/index.js";

/** All extras of the program. To delete one: its folder here, its line here, its folder in `test/extras`. */
export const EXTRAS: readonly Extra[] = [
  compare,
  methodology,
  changes,
  peers,
  batch,
  access,
  mcp,
  trends,
  dumps,
  searchFiles,
  importing,
  remote,
  parts,
  clickHouse,
  cards,
  signing,
];
