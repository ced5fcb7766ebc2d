import type { Manifest } from "../store/format.js";
import type { HostName } from "./layout.js";
import { SiteRefusedError } from "./record.js";

/**
 * Compares the addresses of a directory with the host of its tree. Links to this machine do not work for other readers.
 * @param isAllowed whether the publisher wants such links, as for a trial on this machine
 * @returns a warning if the tree is for no particular host
 * @throws SiteRefusedError if it is for a particular host
 */
export function requireReachable(
  { siteUrl, baseUrl }: Manifest["directory"],
  host: HostName,
  isAllowed: boolean,
): string[] {
  const addresses = Object.entries({ siteUrl, baseUrl }).filter(([, url]) => isLoopback(url));
  if (isAllowed || addresses.length === 0) return [];
  const named = addresses.map(([key, url]) => `${key} ${url}`).join(" and ");
  const problem =
    `the links of the tree would lead to this machine (${named}): write the public address into ` +
    "directory.json and build again";
  if (host === "plain") return [problem];
  throw new SiteRefusedError(`${problem}, or export with --allow-loopback`);
}

/** Whether an address leads to the machine that opens it. */
function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|(?:.+\.)?localhost\.?)$/.test(hostname);
}
