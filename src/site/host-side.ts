import { disk } from "../files/disk.js";
import type { HostRules } from "./hosts/host-rules.js";
import { checkLimits, HOST_LIMITS, type TreeSize } from "./hosts/limits.js";
import type { TreeLayout } from "./layout.js";
import { SiteRefusedError } from "./record.js";

/**
 * Compares a tree with the limits of its host, before a file of it is written.
 * @returns warnings, if only a paid plan takes it
 * @throws SiteRefusedError if no plan takes it
 */
export function requireFits({ host }: TreeLayout, size: TreeSize): string[] {
  const message = checkLimits(host, size);
  if (message === null) return [];
  const { paidFiles = 0, fileBytes = Number.POSITIVE_INFINITY } = HOST_LIMITS[host] ?? {};
  if (size.files <= paidFiles && size.largestBytes <= fileBytes) return [message];
  throw new SiteRefusedError(`the tree would have ${message}`);
}

/** Writes what a host's rules put beside the tree. @throws StoreWriteError */
export async function writeBeside(root: string, { beside }: HostRules): Promise<void> {
  for (const [suffix, text] of beside) await disk.writeFile(root + suffix, Buffer.from(text));
}
