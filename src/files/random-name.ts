import { randomBytes } from "node:crypto";

/**
 * A name that no other process, container or machine uses: 32 hexadecimal digits.
 *
 * Process numbers are no substitute: they repeat in every container and on every machine. Only temporary
 * files and locks have random names, so no byte of a snapshot depends on them.
 */
export function randomName(): string {
  return randomBytes(16).toString("hex");
}

const PREFIX = `.new-${randomName()}-`;

/** The name of a file or folder until it is complete. Unique to this process. Such a name stays as it is. */
export function unfinishedName(name: string): string {
  return name.startsWith(PREFIX) ? name : PREFIX + name;
}

/** A random number from 0 to less than 1, for waits: it spreads processes that failed at the same moment. */
export function randomShare(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}
