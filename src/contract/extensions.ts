import type { Route } from "./routes.js";

/**
 * A read beyond the contract. `"extensions": false` in directory.json switches all of them off. Extras bring them, each
 * with its texts and the schemas of its answers (`ExtensionDescription`).
 */
export interface Extension extends Omit<Route, "errors" | "document"> {
  /** The POST of the address. Absent: the address answers GET only. */
  readonly post?: ExtensionPost;
  readonly errors: readonly (Route["errors"][number] | 410 | 413 | 415)[];
  /** Whether the path with a slash at its end is the same address. */
  readonly hasSlashedForm?: boolean;
  /** Absent: no cache keeps its answers, or other addresses cover them. */
  readonly purged?: PurgedAddresses;
}

/** The POST of an address. */
interface ExtensionPost {
  /** The operation's name in the OpenAPI document. */
  readonly id: string;
  /** Whether the address answers no GET. */
  readonly isAlone?: boolean;
}

/** The addresses that caches purge, and when. One that ends in `*` stands for all that begin with it. */
export interface PurgedAddresses {
  /**
   * After which publications: all; those that change a listing; those that change a listing, a document or what the
   * directory says of itself.
   */
  readonly after: "publication" | "listings" | "directory";
  /** Below the base address of the API. */
  readonly api?: string;
  /** Below the base address of the pages. With `{host}`, it stands for those of the listings that have changed. */
  readonly pages?: string;
}
