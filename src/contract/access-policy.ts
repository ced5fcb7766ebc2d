import { z } from "zod";
import { field } from "./field.js";

const Finding = z
  .strictObject({
    subjects: field(z.array(z.string()), "The crawlers that it is about, by robots.txt token.", [
      "GPTBot",
    ]),
    state: field(
      z.enum([
        "allowed",
        "disallowed",
        "observed",
        "not-observed",
        "unknown",
        "unstated",
        "unresolved",
        "mixed",
      ]),
      "What was found.",
      "disallowed",
    ),
    explanation: field(z.string(), "The finding in a sentence.", "robots.txt refuses GPTBot."),
    source: field(z.string(), "What states it.", "robots.txt"),
    url: field(z.string(), "Where it is stated.", "https://example.org/robots.txt"),
    scope: field(z.string(), "What part of the site it applies to.", "/"),
    raw: field(z.array(z.string()), "The lines that state it, as found.", [
      "User-agent: GPTBot",
      "Disallow: /",
    ]),
    checkIds: field(z.array(z.string()), "Ids of the checks that use it.", ["crawler-access"]),
  })
  .meta({ id: "AccessFinding" });

const Identity = z.strictObject({
  token: field(z.string(), "The crawler's name in robots.txt.", "GPTBot"),
  operator: field(z.string(), "Who operates it.", "OpenAI"),
  purpose: field(z.string(), "What it reads pages for.", "training"),
});

const Row = z.strictObject({
  id: field(z.string(), "Id of the row.", "training"),
  title: field(z.string(), "Heading of the row.", "Training"),
  summary: field(z.string(), "The row in a sentence.", "Crawlers for training are refused."),
  findings: field(z.array(Finding), "What the row rests on."),
});

/** Contract section 2, AccessPolicy. */
export const AccessPolicy = z
  .strictObject({
    version: field(z.literal(1), "Version of this part of the report.", 1),
    url: field(z.string(), "The address that it is about.", "https://example.org/"),
    summary: field(z.string(), "The policy in a sentence.", "Open to search, closed to training."),
    notes: field(z.array(z.string()), "Remarks.", ["robots.txt has no rule for other crawlers."]),
    identities: field(z.array(Identity), "The crawlers that were looked at."),
    rows: field(z.array(Row), "The policy by purpose."),
  })
  .meta({ id: "AccessPolicy" });
export type AccessPolicy = z.infer<typeof AccessPolicy>;
