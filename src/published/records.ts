import type { z } from "zod";
import type { Standards } from "../contract/standards.js";
import type { Scan } from "./checking/scan-schema.js";
import type { DirectoryRecord, Listing, Taxonomy } from "./checking/schemas.js";

// The package's declarations of this module are generated: with them, editors describe each property.

/** The records of a published directory as publishers write them: with what may be left out. */
export type PublishedDirectory = z.input<typeof DirectoryRecord>;
export type PublishedStandards = z.input<typeof Standards>;
export type PublishedTaxonomy = z.input<typeof Taxonomy>;
export type PublishedListing = z.input<typeof Listing>;
export type PublishedScan = z.input<typeof Scan>;
