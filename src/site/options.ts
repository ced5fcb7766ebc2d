import { STORE } from "../options/defaults.js";
import { callback, checkedOptions, FLAG, FOLDER, requireArgument } from "../options/options.js";
import type { OnProgress } from "../options/progress.js";

/** Options of `exportSite`. */
export interface ExportOptions {
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
  /** Trusts nothing of the last export: reads every file, and repairs it if needed. Default: false. */
  readonly full?: boolean | undefined;
  /** Called with the number of files removed so far, later with the number checked or written so far. */
  readonly onProgress?: OnProgress | undefined;
}

const RULES = { store: FOLDER, full: FLAG, onProgress: callback<OnProgress>() };

export type ExportSettings = ReturnType<typeof exportSettings>;

/** Checks the arguments of `exportSite`. @returns the options with their defaults @throws TypeError */
export function exportSettings(site: string, given: ExportOptions) {
  requireArgument("exportSite", "site", site, FOLDER);
  const { store = STORE, full = false, onProgress } = checkedOptions("exportSite", given, RULES);
  return { store, full, onProgress };
}
