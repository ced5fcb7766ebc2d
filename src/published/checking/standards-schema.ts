import { z } from "zod";
import { field } from "../../contract/field.js";
import { CheckDescription, Standards } from "../../contract/standards.js";
import { lenient } from "./published-values.js";

const { shape } = CheckDescription;

/** A check of the methodology. Only keys that can have no default are required; the default of texts is "". */
const PublishedCheck = z
  .strictObject({
    ...shape,
    title: field(shape.title.optional(), "What the check looks for; `name` if left out."),
    version: shape.version.default(1),
    reviewedVersion: field(
      shape.reviewedVersion.optional(),
      "The version that was reviewed last; `version` if left out.",
    ),
    reviewedOn: shape.reviewedOn.default(""),
    specificationStatus: shape.specificationStatus.default(""),
    overview: shape.overview.default(""),
    whyItMatters: shape.whyItMatters.default(""),
    whatWeCheck: shape.whatWeCheck.default(""),
    results: shape.results.default(""),
    limitations: shape.limitations.default(""),
    sources: shape.sources.default([]),
    sourceNote: shape.sourceNote.default(null),
    related: shape.related.default([]),
    checkClass: field(
      shape.checkClass.optional(),
      "`universal` applies to every site, `conditional` to some, `capability` shows what a site " +
        "offers. If left out: `capability` for a check of this kind, else `universal`.",
    ),
    lifecycle: shape.lifecycle.default("active"),
    block: shape.block.default(null),
    weight: field(shape.weight.optional(), "Weight within its block; `maxPoints` if left out."),
  })
  .meta({ id: "PublishedCheckDescription" });

/** standards.json: the scoring methodology, as publishers write it. */
export const StandardsRecord = z.strictObject({
  ...Standards.shape,
  badgeExamples: lenient(Standards.shape.badgeExamples).default([]),
  checks: field(z.array(PublishedCheck), "All checks, in the publisher's order."),
  aiCrawlers: lenient(Standards.shape.aiCrawlers).default([]),
  crawlerCatalogue: lenient(Standards.shape.crawlerCatalogue).default([]),
});
export type StandardsRecord = z.infer<typeof StandardsRecord>;

/** The contract's standards: keys that were left out get their defaults. */
export function completeStandards(record: StandardsRecord): Standards {
  const checks = record.checks.map((check) => {
    const { name, version, kind, maxPoints } = check;
    const { title = name, reviewedVersion = version, weight = maxPoints } = check;
    const { checkClass = kind === "capability" ? kind : "universal" } = check;
    return { ...check, title, reviewedVersion, checkClass, weight };
  });
  // Parsing puts the members into the contract's order, which answers have.
  return Standards.parse({ ...record, checks });
}
