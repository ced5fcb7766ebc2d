import type { Extra } from "../extra.js";
import { cards } from "./cards/index.js";
import { importing } from "./import/index.js";

/** All extras of the program. To delete one: its folder here, its line here, its folder in `test/extras`. */
export const EXTRAS: readonly Extra[] = [importing, cards];
