import { installExtras } from "../../extra.js";
import { EXTRAS } from "../index.js";

export { ImportUsageError, type UnusedColumn } from "./columns.js";
export {
  type ImportedTable,
  type ImportResult,
  importTables,
  TableRefusedError,
} from "./import.js";
export type { ImportOptions, TableKind } from "./options.js";
export type { JoinedSpelling, NewTerm, Place } from "./terms.js";

installExtras(EXTRAS);
