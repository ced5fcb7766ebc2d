import { randomBytes } from "node:crypto";

/**
 * A name that no other process, container or machine uses: 32 hexadecimal digits.
 *
 * The numbers of processes repeat in every container and on every machine. Only temporary files and
 * locks have such a name, so no byte of a snapshot depends on it.
 */
export function randomName(): string {
  return randomBytes(16).toString("hex");
}

const UNFINISHED = randomName();

/** The name that a file or folder has beside its place until it is complete. No other process uses the same one. */
export function unfinishedName(name: string): string {
  return `.new-${UNFINISHED}-${name}`;
}
