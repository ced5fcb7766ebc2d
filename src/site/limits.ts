import type { HostName } from "./layout.js";
import { SiteRefusedError } from "./record.js";

/** The sizes of a tree, counted before it is written. */
export interface TreeSize {
  readonly files: number;
  readonly largestBytes: number;
  /** The most files in one folder, folders not counted. */
  readonly largestFolder: number;
}

const ADVICE = "use --packed or --only pages";
const MIB = 2 ** 20;
/** Cloudflare's limits: files on a free and on a paid plan, bytes of a file, and rules in `_headers`. */
export const CLOUDFLARE = {
  files: 20_000,
  paidFiles: 100_000,
  fileBytes: 25 * MIB,
  headerRules: 100,
};
const NETLIFY_FOLDER_FILES = 54_000;

/**
 * Compares a tree with the limits that its host documents, before any of its files is written.
 * @returns a warning if only a paid plan accepts the tree
 * @throws SiteRefusedError if no plan accepts it
 */
export function requireFits(host: HostName, size: TreeSize): string[] {
  const { files, largestBytes, largestFolder } = size;
  const refuse = (problem: string) => {
    throw new SiteRefusedError(`the tree would have ${problem}`);
  };
  if (host === "netlify" && largestFolder > NETLIFY_FOLDER_FILES) {
    const most = amount(NETLIFY_FOLDER_FILES);
    refuse(`${amount(largestFolder)} files in one folder; Netlify takes ${most}: ${ADVICE}`);
  }
  if (host !== "cloudflare") return [];
  if (largestBytes > CLOUDFLARE.fileBytes) {
    refuse(
      `a file of ${Math.ceil(largestBytes / MIB)} MiB; Cloudflare takes ${CLOUDFLARE.fileBytes / MIB} MiB a file`,
    );
  }
  if (files <= CLOUDFLARE.files) return [];
  const paid = `${amount(CLOUDFLARE.paidFiles)} on paid plans`;
  const problem = `${amount(files)} files; Cloudflare takes ${amount(CLOUDFLARE.files)} (${paid}): ${ADVICE}`;
  if (files > CLOUDFLARE.paidFiles) refuse(problem);
  return [problem];
}

/** A number with thousands separators: `1,234,567`. */
const amount = (number: number) => `${number}`.replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
