import { z } from "zod";

const Finding = z
  .strictObject({
    subjects: z.array(z.string()),
    state: z.enum([
      "allowed",
      "disallowed",
      "observed",
      "not-observed",
      "unknown",
      "unstated",
      "unresolved",
      "mixed",
    ]),
    explanation: z.string(),
    source: z.string(),
    url: z.string(),
    scope: z.string(),
    raw: z.array(z.string()),
    checkIds: z.array(z.string()),
  })
  .meta({ id: "AccessFinding" });

/** Contract section 2, AccessPolicy. */
export const AccessPolicy = z
  .strictObject({
    version: z.literal(1),
    url: z.string(),
    summary: z.string(),
    notes: z.array(z.string()),
    identities: z.array(
      z.strictObject({ token: z.string(), operator: z.string(), purpose: z.string() }),
    ),
    rows: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        summary: z.string(),
        findings: z.array(Finding),
      }),
    ),
  })
  .meta({ id: "AccessPolicy" });
export type AccessPolicy = z.infer<typeof AccessPolicy>;
