import type { z } from "zod";
import type {
  DirectoryRecord,
  Listing,
  Scan,
  StandardsRecord,
  Taxonomy,
} from "./checking/schemas.js";

// The package's declarations of this module are generated: with them, editors describe each property.

/** directory.json, as publishers write it: keys with a default may be left out. */
export type PublishedDirectory = z.input<typeof DirectoryRecord>;
/** standards.json, as publishers write it: keys with a default may be left out. */
export type PublishedStandards = z.input<typeof StandardsRecord>;
/** taxonomy.json, as publishers write it: keys with a default may be left out. */
export type PublishedTaxonomy = z.input<typeof Taxonomy>;
/** A listing, as publishers write it: keys with a default may be left out. */
export type PublishedListing = z.input<typeof Listing>;
/** A scan, as publishers write it: keys with a default may be left out. */
export type PublishedScan = z.input<typeof Scan>;
