import type { AccessPolicy, Report } from "../../contract/report.js";

/* What the index of access keeps of a report. Equal reports give equal texts, which are stored once. */

export type FindingState = AccessPolicy["rows"][number]["findings"][number]["state"];

/** What a report says about access, without texts that name the site. */
export interface Access {
  readonly robotsVerdict: string | null;
  /** The host that the homepage redirects to. */
  readonly movedTo: string | null;
  /** The crawlers that the scan looked at, by token. */
  readonly identities: readonly string[];
  readonly rows: readonly AccessRow[];
}

export interface AccessRow {
  readonly title: string;
  readonly findings: readonly {
    readonly subjects: readonly string[];
    readonly state: FindingState;
    /** Whether robots.txt says it. Otherwise the scan's requests or another source do. */
    readonly isRule: boolean;
  }[];
}

export function accessIn({ scan, accessPolicy }: Report): Access {
  const { identities = [], rows = [] } = accessPolicy ?? {};
  return {
    robotsVerdict: scan.robotsVerdict,
    movedTo: scan.redirect?.host ?? null,
    identities: identities.map(({ token }) => token),
    rows: rows.map(({ title, findings }) => ({
      title,
      findings: findings.map(({ subjects, state, source }) => ({
        subjects,
        state,
        isRule: /robots\.txt$/i.test(source),
      })),
    })),
  };
}

/** `accessIn` as JSON. */
export function accessGist(report: Report): string {
  return JSON.stringify(accessIn(report));
}
