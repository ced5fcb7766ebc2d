import { z } from "zod";
import { DateTime } from "./scalars.js";

/** Contract section 2, EnrichmentState. `nextRetryAt` is the earliest retry, not an estimate of completion. */
export const EnrichmentState = z
  .strictObject({
    state: z.enum(["queued", "generating", "delayed", "ready", "unavailable"]),
    nextRetryAt: DateTime.nullable().describe(
      "Earliest retry time for delayed work; not a completion estimate.",
    ),
  })
  .meta({ id: "EnrichmentState" });
export type EnrichmentState = z.infer<typeof EnrichmentState>;

/** Contract section 2, Enrichment. */
export const Enrichment = z
  .strictObject({
    scanId: z.string(),
    revision: z
      .string()
      .meta({ description: "Opaque; changes when the content or its status changes." }),
    copy: EnrichmentState,
    starterFiles: EnrichmentState.nullable().meta({ description: "Null without the entitlement." }),
  })
  .meta({ id: "Enrichment" });
export type Enrichment = z.infer<typeof Enrichment>;
