import type { Extension } from "../../contract/extensions.js";
import type { ParameterTable, QueryOf } from "../../contract/query.js";
import { pattern } from "../../contract/values.js";

/** GET /api/proof. */
export const ProofQuery = {
  of: {
    kind: pattern(
      /^\/\S+$/,
      "must be the address of a read below the API, such as /api/standards",
      {
        maxLength: 1_000,
      },
    ),
    isRequired: true,
    description:
      "The address of the answer, from its path on. Only answers that are stored have a proof: reports, their " +
      "enrichment, and documents.",
    example: "/api/sites/birchclinic.example/report",
  },
} as const satisfies ParameterTable;
export type ProofQuery = QueryOf<typeof ProofQuery>;

export const PROOF = {
  id: "getProof",
  path: "/api/proof",
  query: ProofQuery,
  contentType: "application/json",
  cache: "directory",
  errors: [400, 403, 404, 502, 503],
  example: "/api/proof?of=/api/sites/birchclinic.example/report",
  purged: { after: "publication", api: "/api/proof*" },
} as const satisfies Extension;

/** Why there is no proof. */
export const UNPROVEN = {
  unsigned: "The directory is not signed, so nothing can prove an answer.",
  computed: "Only stored answers have a proof: reports, their enrichment, and documents.",
} as const;
