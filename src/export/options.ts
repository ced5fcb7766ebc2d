import { installedExtras } from "../extra.js";
import {
  checkedOptions,
  FILE,
  FOLDER,
  flag,
  JOBS_OPTION,
  type OnProgress,
  type OptionTable,
  oneOfTexts,
  optional,
  PROGRESS_OPTION,
  requireArgument,
  STORE_OPTION,
  withDefault,
} from "../lib/options.js";
import { CONTENTS, type Contents, HOST_NAMES, type HostName, treeLayout } from "./layout.js";

/** Options of `exportSite` that extras bring. Each declares its own into this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: without extras it is empty
export interface ExtraExportOptions {}

/** Options of `exportSite`. */
export interface ExportOptions extends ExtraExportOptions {
  /** The store's folder. Default: "snapshots". */
  readonly store?: string | undefined;
  /** The host that the tree is for. It decides the form of links and the host's configuration. Default: "plain". */
  readonly for?: HostName | undefined;
  /**
   * Whether reports stay in packs, few files from which a service worker answers, so that the tree stays within a
   * host's limits. Default: false.
   */
  readonly packed?: boolean | undefined;
  /** Which answers about a listing become files. Default: "all", or none in a packed tree. */
  readonly only?: Contents | undefined;
  /**
   * Whether each report of a packed tree gets a small page, so that shared links to it have previews. Default: false.
   */
  readonly previews?: boolean | undefined;
  /**
   * Whether a tree for a particular host may have links to a loopback address, for a trial on this machine. A tree for
   * "plain" may always have them. Default: false.
   */
  readonly allowLoopback?: boolean | undefined;
  /**
   * The file of the tree's record, which says what the export has written. It must not be in the tree. With this
   * option, the folder may have other files before the first export; they stay as they are. The configuration files
   * of a host lie beside the record. Default: `<site>.crawldex.json`, beside the tree.
   */
  readonly record?: string | undefined;
  /** Reads every file of the last export, and repairs it if needed. Default: false. */
  readonly full?: boolean | undefined;
  /** Worker threads. Default: all cores, if there is work for them. */
  readonly jobs?: number | undefined;
  /** Called with the number of files removed so far, later with the number checked or written so far. */
  readonly onProgress?: OnProgress | undefined;
}

export const EXPORT = {
  store: STORE_OPTION,
  for: withDefault(oneOfTexts(HOST_NAMES), "plain", {
    flags: "--for <host>",
    help: "write links for this host, and the file with headers that it reads",
  }),
  packed: flag("--packed", "keep reports in a few files, from which a service worker answers"),
  only: optional(oneOfTexts(CONTENTS), {
    flags: "--only <contents>",
    help: "which files each listing gets (default: all; with --packed, none)",
  }),
  previews: flag(
    "--previews",
    "with --packed: a small page for each report, so that shared links have previews",
  ),
  record: optional(FILE, {
    flags: "--record <file>",
    help: "where the export notes which files it has written (default: <site>.crawldex.json, beside the tree)",
  }),
  jobs: JOBS_OPTION,
  allowLoopback: flag(
    "--allow-loopback",
    "with --for: allow links to this machine, such as http://127.0.0.1:3000, for a trial",
  ),
  full: flag(
    "--full",
    "trust nothing from the last export: read every file of the tree, and repair it",
  ),
  onProgress: PROGRESS_OPTION,
} satisfies OptionTable<Omit<ExportOptions, keyof ExtraExportOptions>>;

export type ExportSettings = ReturnType<typeof exportSettings>;

/** Checks the arguments of `exportSite`. @returns the options with their defaults @throws TypeError */
export function exportSettings(site: string, given: ExportOptions) {
  requireArgument("exportSite", "site", site, FOLDER);
  const checked = checkedOptions("exportSite", given, EXPORT);
  const { for: host, packed, only, previews, ...options } = checked;
  const pictures = installedExtras().some(({ exportsPictures }) => exportsPictures?.(checked));
  return { ...options, layout: treeLayout(host, packed, only, pictures, previews) };
}
