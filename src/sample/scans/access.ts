import type { AccessPolicy } from "../../contract/access-policy.js";
import { CRAWLERS } from "../methodology/crawlers.js";
import type { Posture, Site } from "../sites/site.js";

type Row = AccessPolicy["rows"][number];
type Finding = Row["findings"][number];
type State = Finding["state"];
/** Purposes that robots.txt may treat apart. */
type Purpose = "search" | "user-fetch" | "training";

/** Each purpose's best known identities stand for it. */
const TOKENS_SHOWN = 3;

const IDENTITIES: Readonly<Record<Purpose, AccessPolicy["identities"]>> = {
  search: identitiesFor("search"),
  "user-fetch": identitiesFor("user-fetch"),
  training: identitiesFor("training"),
};

const STATES: Readonly<Record<Posture, Readonly<Record<Purpose, State>>>> = {
  open: { search: "allowed", "user-fetch": "allowed", training: "allowed" },
  absent: { search: "unstated", "user-fetch": "unstated", training: "unstated" },
  "no-training": { search: "allowed", "user-fetch": "allowed", training: "disallowed" },
  "no-ai": { search: "disallowed", "user-fetch": "disallowed", training: "disallowed" },
  closed: { search: "disallowed", "user-fetch": "disallowed", training: "disallowed" },
  contradictory: { search: "mixed", "user-fetch": "allowed", training: "mixed" },
  unreachable: { search: "unresolved", "user-fetch": "unresolved", training: "unresolved" },
};

const EXPLANATIONS: Readonly<Record<State, string>> = {
  allowed: "The group that applies lets these identities read the homepage.",
  disallowed: "The group that applies forbids these identities the homepage.",
  mixed: "Groups for these identities say different things, so it depends on which is asked.",
  unstated: "There is no rule, and by the standard nothing is forbidden then.",
  unresolved: "robots.txt could not be read, so crawlers decide by their own caution.",
  unknown: "The scan ended before this could be tried.",
  observed: "Requests under crawlers' names were refused or challenged.",
  "not-observed": "Requests under crawlers' names got the page that a browser gets.",
};

const ROWS: readonly { readonly purpose: Purpose; readonly id: string; readonly title: string }[] =
  [
    { purpose: "search", id: "ai-search", title: "AI search" },
    { purpose: "user-fetch", id: "assistants", title: "Assistants on a person's request" },
    { purpose: "training", id: "training", title: "Training of models" },
  ];

const SUMMARIES: Readonly<Record<Posture, string>> = {
  open: "Open to AI search, assistants and training.",
  absent: "Says nothing about crawlers.",
  "no-training": "Open to AI search and assistants, closed to training.",
  "no-ai": "Closed to AI crawlers of every purpose.",
  closed: "Closed to all crawlers.",
  contradictory: "Its rules contradict each other.",
  unreachable: "Its rules could not be read.",
};

/** What a site lets AI do, as far as its rules and its server show (contract section 2, AccessPolicy). */
export function accessPolicyOf(site: Site, complete: boolean): AccessPolicy {
  const { host, posture } = site;
  const url = `https://${host}/robots.txt`;
  return {
    version: 1,
    url,
    summary: SUMMARIES[posture],
    notes: posture === "closed" ? ["The rule is for all crawlers, search engines included."] : [],
    identities: ROWS.flatMap(({ purpose }) => IDENTITIES[purpose]),
    rows: [...ROWS.map((row) => ruleRow(row, posture, url)), serverRow(site, complete)],
  };
}

function ruleRow(
  { purpose, id, title }: (typeof ROWS)[number],
  posture: Posture,
  url: string,
): Row {
  const subjects = IDENTITIES[purpose].map(({ token }) => token);
  const state = STATES[posture][purpose];
  const finding = {
    subjects,
    state,
    explanation: EXPLANATIONS[state],
    source: "robots.txt",
    url,
    scope: "/",
    raw: rawRules(posture, state, subjects),
    checkIds: purpose === "training" ? ["robots-txt"] : ["crawler-access", "blocks-ai-crawlers"],
  };
  return { id, title, summary: `${title}: ${state}.`, findings: [finding] };
}

function rawRules(posture: Posture, state: State, subjects: readonly string[]): string[] {
  const named = subjects.map((token) => `User-agent: ${token}`);
  if (state === "unstated" || state === "unresolved") return [];
  if (posture === "closed") return ["User-agent: *", "Disallow: /"];
  if (state === "disallowed") return [...named, "Disallow: /"];
  if (state === "mixed") return [named[0]!, "Allow: /", named[1]!, "Disallow: /"];
  return ["User-agent: *", "Disallow: /account/"];
}

function serverRow({ host, edgeBlock, botWall }: Site, complete: boolean): Row {
  const state = !complete ? "unknown" : edgeBlock || botWall ? "observed" : "not-observed";
  const finding: Finding = {
    subjects: [...IDENTITIES.search, ...IDENTITIES["user-fetch"]].map(({ token }) => token),
    state,
    explanation: EXPLANATIONS[state],
    source: "requests of the scan",
    url: `https://${host}/`,
    scope: "homepage",
    raw: state === "observed" ? ["HTTP/1.1 403 Forbidden"] : [],
    checkIds: ["edge-block", "bot-wall"],
  };
  return {
    id: "server",
    title: "Refusals by the server",
    summary: `Refusals by the server: ${state}.`,
    findings: [finding],
  };
}

function identitiesFor(purpose: Purpose): AccessPolicy["identities"] {
  return CRAWLERS.filter((crawler) => crawler.purpose === purpose)
    .flatMap(({ record: { robotsToken, operator } }) =>
      robotsToken === null ? [] : [{ token: robotsToken, operator, purpose }],
    )
    .slice(0, TOKENS_SHOWN);
}
