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
export type { ImportScansOptions } from "./scan-options.js";
export { UndecidedError } from "./scan-records.js";
export { importScans, type ScansResult } from "./scans.js";

installExtras(EXTRAS);
