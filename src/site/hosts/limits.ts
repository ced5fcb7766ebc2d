import type { HostName } from "../layout.js";

/** The most that a host takes. */
export interface HostLimits {
  readonly files?: number;
  /** Files that a paid plan takes, if that is more. */
  readonly paidFiles?: number;
  /** Files in one folder, folders not counted. */
  readonly folderFiles?: number;
  readonly fileBytes?: number;
  readonly headerRules?: number;
}

/** As the hosts document them; null if there is none that a tree could reach. */
export const HOST_LIMITS: Readonly<Record<HostName, HostLimits | null>> = {
  plain: null,
  nginx: null,
  caddy: null,
  apache: null,
  cloudflare: { files: 20_000, paidFiles: 100_000, fileBytes: 25 * 2 ** 20, headerRules: 100 },
  netlify: { folderFiles: 54_000 },
  s3: null,
};

/** What is counted of a tree before it is written. */
export interface TreeSize {
  readonly files: number;
  readonly largestBytes: number;
  /** The most files in one folder, if they are counted. */
  readonly largestFolder?: number;
}

const NAMES: Readonly<Partial<Record<HostName, string>>> = {
  cloudflare: "Cloudflare",
  netlify: "Netlify",
};
const ADVICE = "use --packed or --only pages";
const MIB = 2 ** 20;

/** Why a host cannot take a tree of this size, in one sentence; null if it can. */
export function checkLimits(
  host: HostName,
  { files, largestBytes, largestFolder = 0 }: TreeSize,
): string | null {
  const limits = HOST_LIMITS[host];
  const name = NAMES[host] ?? host;
  if (limits?.files !== undefined && files > limits.files) {
    const { paidFiles } = limits;
    const paid = paidFiles === undefined ? "" : ` (${amount(paidFiles)} on paid plans)`;
    return `${amount(files)} files; ${name} takes ${amount(limits.files)}${paid}: ${ADVICE}`;
  }
  if (limits?.folderFiles !== undefined && largestFolder > limits.folderFiles) {
    return `${amount(largestFolder)} files in one folder; ${name} takes ${amount(limits.folderFiles)}: ${ADVICE}`;
  }
  if (limits?.fileBytes !== undefined && largestBytes > limits.fileBytes) {
    const [found, most] = [largestBytes, limits.fileBytes].map((bytes) => Math.ceil(bytes / MIB));
    return `a file of ${found} MiB; ${name} takes ${most} MiB a file`;
  }
  return null;
}

/** A number with a comma before each three digits. */
const amount = (number: number) => `${number}`.replace(/\B(?=(?:\d{3}){1,6}$)/g, ",");
