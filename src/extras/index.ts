import type { Extra } from "../extra.js";
import { CHANGES_EXTRA } from "./changes/index.js";

/** All extras of the program. To delete one: its folder here, its line here, its folder in `test/extras`. */
export const EXTRAS: readonly Extra[] = [CHANGES_EXTRA];
