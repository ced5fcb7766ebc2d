import { z } from "zod";
import { ChangesBody, ChangesIndex, ChangesPage } from "./change-feed.js";
import type { ExtensionName } from "./extensions.js";
import { derivedExample, field } from "./field.js";
import { SiteSummary } from "./listing.js";

/** The schemas of the bodies of 200 answers. Null: the body is not JSON. */
export const EXTENSION_BODIES = {
  changes: ChangesBody,
  changesFile: z
    .union([ChangesIndex, ChangesPage])
    .meta({ examples: [derivedExample(ChangesIndex)] }),
  searchFeed: null,
  searchJsonFeed: null,
  batch: z.strictObject({
    data: field(
      z.array(
        z.strictObject({
          host: field(
            z.string(),
            "The host that was meant; the text of the request, if it means none.",
            "example.com",
          ),
          asked: field(
            z.string().optional(),
            "The text of the request, where it differs from the host.",
            "https://WWW.Example.com/about",
          ),
          listed: field(z.boolean(), "Whether the host is in search.", true),
          site: field(SiteSummary.optional(), "The listing, as search answers with it."),
        }),
      ),
      "One item for each host, in the order of the request.",
    ),
  }),
} as const satisfies Readonly<Record<ExtensionName, z.ZodType | null>>;
