import { installExtras } from "../../extra.js";
import { EXTRAS } from "../index.js";

export type { TableKind, UnusedColumn } from "./columns.js";
export {
  type AddedTerms,
  type ImportOptions,
  type ImportResult,
  importTable,
  TableRefusedError,
} from "./import.js";

installExtras(EXTRAS);
