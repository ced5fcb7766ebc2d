import type { Standards } from "../../contract/standards.js";

export type CrawlerRecord = Standards["crawlerCatalogue"][number];
type Purpose = Standards["aiCrawlers"][number]["purpose"];

/** What is written by hand of a crawler. */
export interface CrawlerTexts {
  readonly name: string;
  readonly operator: string;
  readonly purpose: Purpose;
  /** How its operator lets others verify a request; "none" where it does not. */
  readonly verification: "ip-list" | "reverse-dns" | "signature" | "none";
  readonly summary: string;
  /** The operator's public documentation first. */
  readonly sources: readonly string[];
  /** Absent: the name. Null: no line of robots.txt addresses it. */
  readonly token?: string | null;
  /** A name that is only a line of robots.txt and sends no requests has none. Absent: the name. */
  readonly httpIdentity?: string;
  readonly aliases?: readonly string[];
  readonly notes?: string;
  /** Absent: documented. */
  readonly status?: "documented" | "undocumented" | "retired";
}

/** A crawler of the catalogue, with the group under which its visits count. */
export interface Crawler {
  readonly purpose: Purpose;
  readonly record: CrawlerRecord;
}

const REVIEWED = "2026-08-17";

/** The catalogue's record of a crawler (contract section 2, Standards: crawler record). */
export function crawler(texts: CrawlerTexts): Crawler {
  const { name, operator, purpose, verification, summary, sources } = texts;
  const { token = name, httpIdentity = name, aliases = [], status = "documented" } = texts;
  const serves = purpose === "search" || purpose === "user-fetch";
  return {
    purpose,
    record: {
      id: name.toLowerCase().replaceAll(" ", "-"),
      name,
      operator,
      group: GROUP[purpose],
      kind: httpIdentity === "" ? "control-token" : KIND[purpose],
      httpIdentity,
      status,
      verification,
      reviewed: REVIEWED,
      summary,
      robotsToken: token,
      aliases: [...aliases],
      purposes: [purpose],
      sources: [...sources],
      notes: texts.notes ?? null,
      scanner: {
        recognized: status === "documented",
        visibilityPenalty: status === "documented" && serves && token !== null,
        trainingOptOut: purpose === "training" && token !== null,
      },
    },
  };
}

const GROUP: Record<Purpose, string> = {
  training: "model-training",
  search: "ai-search",
  "user-fetch": "assistant",
  agent: "agent",
  extraction: "data-service",
};

const KIND: Record<Purpose, string> = {
  training: "crawler",
  search: "crawler",
  "user-fetch": "fetcher",
  agent: "browser-agent",
  extraction: "crawler",
};
