import type { Extra } from "../extra.js";
import { compare } from "./compare/index.js";

/** All extras of the program. To delete one: its folder here, its line here, its folder in `test/extras`. */
export const EXTRAS: readonly Extra[] = [compare];
