import { z } from "zod";
import { field, isHost, jsonSchemaOf } from "../../contract/field.js";
import { CANONICAL_HOST } from "../../contract/host.js";
import { oneOfTexts, requireArgument } from "../../lib/options.js";
import { PUBLISHED_RECORDS, type PublishedRecord } from "../locating/files.js";
import { DirectoryRecord, Listing, Scan, StandardsRecord, Taxonomy } from "./schemas.js";

/** Each kind of record, with a description of its content and its place. */
const RECORDS = {
  directory: {
    type: DirectoryRecord,
    about: "directory.json: the publisher and its addresses.",
  },
  standards: {
    type: StandardsRecord,
    about: "standards.json: the scoring methodology.",
  },
  taxonomy: {
    type: Taxonomy,
    about: "taxonomy.json: the categories, tags and platforms that listings may have.",
  },
  listing: {
    type: Listing,
    about: "listings/**/*.json, or a line of listings/**/*.ndjson: one published website.",
  },
  scan: {
    type: Scan,
    about: "scans/**/*.json, or a line of scans/**/*.ndjson: one archived scan of a listing.",
  },
} as const satisfies Record<PublishedRecord, unknown>;

/** A JSON Schema (draft 2020-12). */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * The JSON Schema (draft 2020-12) of a record as publishers write it (docs/publishing.md): keys with a
 * default may be left out, unknown keys are forbidden, `$schema` at the top is allowed. The schema covers
 * one record alone; `validate` also checks rules across keys and across records.
 * @throws TypeError if there is no such record
 */
export function publishedSchema(record: PublishedRecord): JsonSchema {
  requireArgument("publishedSchema", "record", record, oneOfTexts(PUBLISHED_RECORDS));
  const { type, about } = RECORDS[record];
  const written = z.strictObject({
    $schema: field(
      z.string().optional(),
      "Address of this schema, for editors. It is not read.",
      "./listing.schema.json",
    ),
    ...type.shape,
  });
  const { $schema, ...schema } = jsonSchemaOf(written, "input", (one, type) => {
    if (isHost(type)) one.pattern = CANONICAL_HOST.source;
  });
  return {
    ...($schema !== undefined && { $schema }),
    $id: `urn:crawldex:published:1:${record}`,
    title: `crawldex ${record}`,
    description: `${about} \`crawldex validate\` also checks the rules that span several records.`,
    ...schema,
  };
}
