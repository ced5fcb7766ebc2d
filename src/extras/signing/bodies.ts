import * as z from "zod";
import { errorBody } from "../../contract/error.js";
import { Count, field, Ordinal, textField } from "../../contract/field.js";
import type { ExtensionDescription } from "../../contract/openapi.js";
import { Sha256, SnapshotId } from "../../store/format.js";
import { PROOF, UNPROVEN } from "./reads.js";

/* The schema of a proof, and what the API's description says of the read. */

const DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const index = field(Count, "The number of its leaf in the tree of the segment, from 0.", 12);
const path = field(
  z.array(Sha256),
  "The digests beside the way from the leaf to the root, from below.",
  [DIGEST],
);
const segment = field(Count, "The number of the segment in the manifest, from 0.", 0);

const DocumentStep = z.strictObject({
  step: field(
    z.literal("document"),
    "The answer is a document that the manifest names.",
    "document",
  ),
  file: textField("The document's name in the manifest.", "api/standards.json"),
});

const InclusionStep = z.strictObject({
  step: field(
    z.literal("inclusion"),
    "The answer is a leaf of the tree of a segment.",
    "inclusion",
  ),
  segment,
  index,
  path,
});

const AbsenceStep = z.strictObject({
  step: field(z.literal("absence"), "A later segment has no answer about the host.", "absence"),
  segment,
  neighbours: field(
    z
      .array(
        z.strictObject({
          line: textField(
            "What the leaf is the digest of: the sha256 of an answer, a space, its address.",
            `${DIGEST} /api/sites/birchclinic.example/report`,
          ),
          index,
          path,
        }),
      )
      .max(2),
    "The leaves before and after the place where the host would be.",
  ),
});
export type AbsenceStep = z.infer<typeof AbsenceStep>;

export const ProofBody = z.strictObject({
  data: field(
    z.strictObject({
      address: textField("The answer's address.", "/api/sites/birchclinic.example/report"),
      sha256: field(Sha256, "The sha256 of the answer's bytes, in hex.", DIGEST),
      generation: field(Ordinal, "The number of the publication.", 12),
      content: field(
        SnapshotId,
        "Identifies all that the directory serves.",
        "4f7c05433bf392a2d85464860ba54b23",
      ),
      steps: field(
        z.array(z.union([DocumentStep, InclusionStep, AbsenceStep])),
        "What leads from the answer to the manifest: the name of a document; or a way through the tree of a " +
          "segment's answers and, for each later segment that could have replaced the answer, that the host is not " +
          "in it.",
        [{ step: "document", file: "api/standards.json" }],
      ),
      manifest: textField("The text of the manifest, which is signed.", '{"format":11}\n'),
      signature: textField(
        "The manifest's signature in minisign's format. Its trusted comment has the generation.",
        "untrusted comment: …",
      ),
    }),
    "The proof.",
  ),
});
export type Proof = z.infer<typeof ProofBody>["data"];

export const PROOF_DESCRIPTIONS: readonly ExtensionDescription[] = [
  {
    route: PROOF,
    body: ProofBody,
    errors: { 404: { examples: { unproven: { value: errorBody(UNPROVEN.unsigned) } } } },
    texts: {
      summary: "Prove that an answer was published",
      description:
        "What anyone needs, together with the publisher's public key, to check without this server that an answer " +
        "belongs to a snapshot that the publisher has signed. `crawldex verify --proof` checks it.",
    },
  },
];
