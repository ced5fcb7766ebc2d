import { z } from "zod";
import { field } from "./field.js";
import { DateTime } from "./scalars.js";

/** Contract section 2, EnrichmentState. `nextRetryAt` is the earliest retry, not an estimate of completion. */
export const EnrichmentState = z
  .strictObject({
    state: field(
      z.enum(["queued", "generating", "delayed", "ready", "unavailable"]),
      "Poll only while it is `queued`, `generating` or `delayed`.",
      "ready",
    ),
    nextRetryAt: field(
      DateTime.nullable(),
      "Earliest retry of delayed work; no estimate of when it is done. Null otherwise.",
    ),
  })
  .meta({ id: "EnrichmentState" });
export type EnrichmentState = z.infer<typeof EnrichmentState>;

/** Contract section 2, Enrichment. */
export const Enrichment = z
  .strictObject({
    scanId: field(
      z.string(),
      "The scan that the generated texts and files belong to.",
      "scn_2026_07",
    ),
    revision: field(
      z.string(),
      "Opaque; changes when the content or its status changes.",
      "r-178789",
    ),
    copy: field(EnrichmentState, "State of the generated texts."),
    starterFiles: field(
      EnrichmentState.nullable(),
      "State of the generated files; null without entitlement.",
    ),
  })
  .meta({ id: "Enrichment" });
export type Enrichment = z.infer<typeof Enrichment>;
