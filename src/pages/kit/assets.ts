import { textHash } from "../../contract/host.js";

/** A file that pages load. Its name contains the hash of its text, so that browsers may cache it forever. */
export interface AssetFile {
  /** Relative to `assets/`. */
  readonly name: string;
  readonly type: string;
}

export interface Asset extends AssetFile {
  readonly text: string;
}

/** The pattern of asset names of any version. */
export const ASSET_NAME = /^[a-z]+-[0-9a-f]{8}\.(?:css|svg|js)$/;

/** A 32-bit hash as 8 hex digits. Two versions of a file collide with a probability of 1 in 4 billion. */
export function hashOf(text: string): string {
  return textHash(text).toString(16).padStart(8, "0");
}
