import * as z from "zod";
import { ChangesBody, ChangesIndex, ChangesPage } from "./change-feed.js";
import { EXTENSION_LIMITS, type ExtensionName } from "./extensions.js";
import { derivedExample, field } from "./field.js";
import { SiteSummary } from "./listing.js";

const AgentCatalog = z.looseObject({
  specVersion: field(z.string(), "Version of the format.", "1.0"),
  entries: field(
    z.array(
      z.looseObject({
        identifier: field(z.string(), "Name of the resource.", "urn:air:api.example:mcp:directory"),
        type: field(
          z.string(),
          "Media type of its description.",
          "application/mcp-server-card+json",
        ),
        url: field(z.string(), "Where its description is.", "https://api.example/mcp/server-card"),
      }),
    ),
    "What agents can use here.",
  ),
});

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
  mcp: z.looseObject({
    jsonrpc: field(z.literal("2.0"), "Version of JSON-RPC.", "2.0"),
  }),
  serverCard: z.looseObject({
    name: field(z.string(), "The server's name, in reverse DNS form.", "example.api/directory"),
    remotes: field(
      z.array(
        z.looseObject({ url: field(z.string(), "Where it answers.", "https://api.example/mcp") }),
      ),
      "The server's addresses.",
    ),
  }),
  ard: AgentCatalog,
  aiCatalog: AgentCatalog,
} as const satisfies Readonly<Record<ExtensionName, z.ZodType | null>>;

/** The schemas of the bodies that are posted. */
export const POSTED_BODIES = {
  batch: z.strictObject({
    hosts: field(
      z.array(z.string()).min(1).max(EXTENSION_LIMITS.batchPostMax),
      "Hosts, or web addresses whose hosts are meant.",
      ["birchclinic.example", "https://www.nowhere.example/about"],
    ),
  }),
  mcp: z.looseObject({
    jsonrpc: field(z.literal("2.0"), "Version of JSON-RPC.", "2.0"),
    method: field(z.string(), "What is asked.", "tools/list"),
  }),
} as const satisfies { readonly [N in ExtensionName]?: z.ZodType };
