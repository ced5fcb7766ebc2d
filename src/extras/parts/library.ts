import { installExtras } from "../../extra.js";
import { EXTRAS } from "../index.js";

export { type JoinOptions, joinParts, PartsRefusedError } from "./join.js";
export type { SplitOptions } from "./options.js";
export { SplitRefusedError, type SplitResult, splitPublished } from "./split.js";

installExtras(EXTRAS);
