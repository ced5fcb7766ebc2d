import SCANS from "./data/scans.json" with { type: "json" };
import type { Site } from "./site.js";
import { type Context, templateOf } from "./template.js";

const { identities, rows, server } = SCANS.accessPolicy;
/** For each state, its explanation and the template of the lines that show it. */
const STATES = new Map(
  Object.entries(SCANS.accessPolicy.states).map(([state, { explanation, raw }]) => [
    state,
    { explanation, raw: templateOf(raw) },
  ]),
);

/** What a site's rules and server allow AI to do (contract section 2, AccessPolicy), for one of its scans. */
export function accessPolicyOf(
  { host, posture, traits }: Site,
  isComplete: boolean,
  { random }: Context,
) {
  const isRefused = traits.has("edge-block") || traits.has("bot-wall");
  const serverState = !isComplete ? "unknown" : isRefused ? "observed" : "not-observed";
  return {
    version: 1,
    url: `https://${host}/robots.txt`,
    summary: posture.summary,
    notes: [],
    identities,
    rows: [...rows, server].map(({ id, title, purposes, source, path, scope, checkIds }) => {
      const state = posture.states[id] ?? serverState;
      const subjects = identities
        .filter(({ purpose }) => purposes.includes(purpose))
        .map(({ token }) => token);
      const [first, second, third] = subjects;
      const { explanation, raw } = STATES.get(state)!;
      const finding = {
        subjects,
        state,
        explanation,
        source,
        url: `https://${host}${path}`,
        scope,
        raw: raw({ facts: { first, second, third }, random, traits }),
        checkIds,
      };
      return { id, title, summary: `${title}: ${state}.`, findings: [finding] };
    }),
  };
}
