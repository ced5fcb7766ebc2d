import type { CheckDescription } from "../../contract/standards.js";

/** What is written by hand of a check; `describe` adds what follows from it. */
export interface CheckTexts
  extends Pick<
    CheckDescription,
    | "id"
    | "name"
    | "title"
    | "version"
    | "reviewedOn"
    | "specificationStatus"
    | "overview"
    | "whyItMatters"
    | "whatWeCheck"
    | "results"
    | "limitations"
    | "sources"
    | "related"
    | "kind"
    | "checkClass"
  > {
  /** Absent: active. */
  readonly lifecycle?: CheckDescription["lifecycle"];
  /** Absent: in no block. */
  readonly block?: 1 | 2;
  /** Points that it can add, or that a penalty takes. Absent: none. */
  readonly weight?: number;
  readonly sourceNote?: string;
}

/** The full description of a check (contract section 2, Standards). A penalty adds no points, so its maximum is 0. */
export function describe(texts: CheckTexts): CheckDescription {
  const { lifecycle = "active", block = null, weight = 0, sourceNote = null, ...rest } = texts;
  return {
    id: rest.id,
    name: rest.name,
    title: rest.title,
    version: rest.version,
    reviewedVersion: rest.version,
    reviewedOn: rest.reviewedOn,
    specificationStatus: rest.specificationStatus,
    overview: rest.overview,
    whyItMatters: rest.whyItMatters,
    whatWeCheck: rest.whatWeCheck,
    results: rest.results,
    limitations: rest.limitations,
    sources: rest.sources,
    sourceNote,
    related: rest.related,
    kind: rest.kind,
    checkClass: rest.checkClass,
    lifecycle,
    block,
    weight,
    maxPoints: rest.kind === "penalty" ? 0 : weight,
  };
}
