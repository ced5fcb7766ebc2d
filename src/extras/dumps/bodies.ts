import * as z from "zod";
import { errorBody } from "../../contract/error.js";
import {
  Count,
  DateTime,
  field,
  nullableText,
  Ordinal,
  Slug,
  textField,
} from "../../contract/field.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import { LISTED_ACCESS } from "../access/access.js";
import { HISTORY_FILE_NAMES, HOST_LISTS, LISTING_FILE_NAMES } from "./names.js";
import { DUMP, DUMP_FILE, DUMP_LIST, UNFINISHED } from "./reads.js";

/* What the API's description says of the reads of the dump: the schema of the index, and texts. */

const file = textField("Name of the file.", "listings.parquet");
const url = field(
  z.string().meta({ format: "uri" }),
  "Address of the file of this dump.",
  "https://api.directory.example/api/dump/listings.parquet?content=4f7c05433bf392a2d85464860ba54b23",
);

const files = z.array(
  z.strictObject({
    file,
    url,
    mediaType: textField("Its media type.", "application/vnd.apache.parquet"),
    bytes: field(Count, "Its size in bytes.", 802_374),
    sha256: textField(
      "The sha256 of its bytes, in hex.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
  }),
);

const columns = z.array(
  z.strictObject({
    name: textField("Name of the column.", "host"),
    type: field(
      z.enum(["text", "integer", "boolean", "list of texts"]),
      "Type of its values. CSV joins lists by spaces.",
      "text",
    ),
    isNullable: field(z.boolean(), "Whether a row may have no value, which is null.", false),
    description: textField("What it says.", "Canonical host of the site."),
  }),
);

export const DumpBody = z.strictObject({
  data: field(
    z.strictObject({
      content: textField(
        "Identifies all that the directory serves. Dumps with the same content have the same bytes.",
        "4f7c05433bf392a2d85464860ba54b23",
      ),
      generation: field(Ordinal, "The number of the publication.", 12),
      scannedTo: field(
        DateTime.nullable(),
        "When the last of the listings was scanned; null if none was.",
      ),
      rows: field(Count, "Listings in each file, one a row, sorted by host.", 132),
      license: field(
        z
          .strictObject({
            name: textField("Its name, or its address if it has no other.", "CC0-1.0"),
            url: nullableText(
              "Its address; null if it is not known.",
              "https://spdx.org/licenses/CC0-1.0.html",
            ),
          })
          .nullable(),
        "The license of the data; null if the publisher names none.",
      ),
      files: field(files, "The files with all listings. Each has all rows."),
      columns: field(
        columns,
        "The columns of these files. NDJSON has the objects that search answers with.",
      ),
      history: field(
        z.strictObject({
          files: field(
            files,
            "The files. Each has a row for each published scan of these listings, sorted by host, then by time. An " +
              "exported tree has none, nor has an edge worker with more than 500 listings.",
          ),
          columns: field(columns, "Their columns."),
        }),
        "The scores over time: all scans of listings whose plan includes history, the latest of others.",
      ),
      lists: field(
        z.array(
          z.strictObject({
            file: textField("Name of the file.", "category-health.txt"),
            url,
            hosts: field(Count, "The number of its hosts.", 31),
            filter: field(
              z.enum(HOST_LISTS).optional(),
              "The filter of search that finds the hosts; left out for all hosts, and for lists about a crawler.",
              "category",
            ),
            value: field(Slug.optional(), "The value of the filter.", "health"),
            crawler: field(
              z.string().optional(),
              "The crawler that the list is about; left out for other lists.",
              "GPTBot",
            ),
            access: field(
              z.enum(LISTED_ACCESS).optional(),
              "What the sites declare to the crawler, or that their servers refuse its requests.",
              "allowed",
            ),
          }),
        ),
        "Lists of hosts, one a line.",
      ),
      croissant: field(
        z.string().meta({ format: "uri" }),
        "Address of the same description as Croissant 1.1.",
        "https://api.directory.example/api/dump/croissant.json?content=4f7c05433bf392a2d85464860ba54b23",
      ),
    }),
    "The dump.",
  ),
});
export type DumpIndex = z.infer<typeof DumpBody>;

export const DUMP_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: DUMP,
    body: DumpBody,
    errors: { 503: { examples: { dump: { value: errorBody(UNFINISHED) } } } },
    texts: {
      summary: "Read which files have all listings",
      description:
        `All listings in search as files: ${LISTING_FILE_NAMES.join(", ")}; their published scans as ` +
        `${HISTORY_FILE_NAMES.join(" and ")}; with the bytes and the sha256 of each, and lists of the hosts of each ` +
        "band, category and capability, and for each crawler.",
    },
  },
  {
    route: DUMP_FILE,
    body: null,
    texts: {
      summary: "Download all listings, or a list of hosts",
      description:
        "A file that the dump's index names. The addresses there are of one publication: once another " +
        "has replaced it, they answer 410. Files with all listings or scans answer a `Range` with a 206 or a 416.",
    },
  },
  {
    route: DUMP_LIST,
    body: null,
    texts: {
      summary: "Download a list of the hosts that treat a crawler alike",
      description:
        "A list that the dump's index names: the hosts that allow or disallow a crawler, or whose servers " +
        "refuse its requests, one a line.",
    },
  },
];
