import * as z from "zod";
import { field, textField } from "../../contract/field.js";
import { SiteSummary } from "../../contract/listing.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import { BATCH, BATCH_LIMITS } from "./reads.js";

/* What the API's description says of the read of many hosts: schemas of its bodies, and texts. */

export const BatchBody = z.strictObject({
  data: field(
    z.array(
      z.strictObject({
        host: textField("The host that was meant.", "example.com"),
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
});

const PostedHosts = z.strictObject({
  hosts: field(
    z.array(z.string()).min(1).max(BATCH_LIMITS.postMax),
    "Hosts, or web addresses whose hosts are meant.",
    ["birchclinic.example", "https://www.nowhere.example/about"],
  ),
});

export const BATCH_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: BATCH,
    body: BatchBody,
    posted: PostedHosts,
    texts: {
      summary: "Read the summaries of many hosts",
      description:
        "One item for each host, in the order of the request. A host that is not in search is said not " +
        "to be listed. A host must not be given twice.",
      post: {
        summary: "Read the summaries of very many hosts",
        description: `The same for up to ${BATCH_LIMITS.postMax} hosts, which the body names.`,
      },
    },
  },
];
