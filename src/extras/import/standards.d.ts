import type { PublishedStandards } from "../../input/records.js";

/** The methodologies of scanners: the standards.json in their folders. See .build/standards.ts. */
export declare const STANDARDS: Readonly<
  Record<"a14y" | "afdocs" | "cloudflare" | "lighthouse", PublishedStandards>
>;
