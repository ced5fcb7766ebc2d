import type { AccessPolicy } from "../../../src/contract/report.js";

/** What a policy says to some crawlers: `allowed` by robots.txt, or `observed`, which requests have shown. */
export type Rule = readonly [
  crawlers: string | readonly string[],
  state: AccessPolicy["rows"][number]["findings"][number]["state"],
  /** Default: the scan's requests for what was observed or not, otherwise robots.txt. */
  source?: string,
];

/** An access policy with a row for each rule. */
export function policyOf(...rules: readonly Rule[]): AccessPolicy {
  return {
    version: 1,
    url: "https://rules.com/robots.txt",
    summary: "",
    notes: [],
    identities: [],
    rows: rules.map(([crawlers, state, source], at) => ({
      id: `${at}`,
      title: `For ${at}`,
      summary: "",
      findings: [
        {
          subjects: [crawlers].flat(),
          state,
          explanation: "",
          source: source ?? (/observed$/.test(state) ? "requests of the scan" : "robots.txt"),
          url: "https://rules.com/robots.txt",
          scope: "/",
          raw: [],
          checkIds: [],
        },
      ],
    })),
  };
}
