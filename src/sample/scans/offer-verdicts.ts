import { type Judge, told, type Verdict, type Visit } from "./verdict.js";

/** What the capability checks and the penalties find. */
export const OFFER_VERDICTS: Readonly<Record<string, Judge>> = {
  "markdown-answers": (visit) =>
    offered(visit, 0.14, "text/markdown is answered with Markdown.", { tested: ["accept", ".md"] }),

  "llms-full-txt": (visit) => offered(visit, 0.06, "/llms-full.txt has the whole text.", {}),

  openapi: (visit) =>
    offered(visit, visit.site.hasApi ? 0.7 : 0.02, "An OpenAPI document was found.", {
      version: visit.random.pick(["3.0.3", "3.1.0"]),
    }),

  "api-catalog": (visit) =>
    offered(visit, visit.site.hasApi ? 0.3 : 0.01, "The API catalogue lists its APIs.", {
      anchors: visit.random.between(1, 3),
    }),

  "mcp-server": (visit) => {
    const probability = visit.site.hasApi ? 0.3 : 0.03;
    if (!visit.random.chance(probability)) return missing();
    const open = visit.random.chance(0.7);
    const texts = {
      pass: "An MCP server answers.",
      warn: "An MCP server answers but demands a sign-in.",
    };
    return told(open ? "pass" : "warn", texts, { transport: "streamable-http" });
  },

  feed: (visit) =>
    offered(visit, visit.site.hasNews ? 0.85 : 0.15, "The feed is valid and current.", {
      format: visit.random.pick(["atom", "rss"]),
      entries: visit.random.between(5, 50),
    }),

  "agent-commerce": (visit) => {
    if (!visit.site.sells) return told("na", { na: "Nothing is sold here." }, {});
    const found = visit.random.unit();
    if (found > 0.5) return missing();
    const texts = {
      pass: "Offers are readable, and a checkout for agents is announced.",
      warn: "Offers are readable; there is no checkout for agents.",
    };
    return told(found < 0.15 ? "pass" : "warn", texts, { offers: visit.random.between(1, 24) });
  },

  "ai-plugin": (visit) => offered(visit, 0.05, "The manifest is there.", {}),

  "blocks-ai-crawlers": ({ site: { posture } }) =>
    penalty(
      posture === "no-ai" || posture === "closed",
      "robots.txt forbids the site to AI search crawlers and assistants.",
      { rule: posture === "closed" ? "Disallow: / for all" : null },
    ),

  "edge-block": ({ site: { edgeBlock, posture }, random }) =>
    penalty(
      edgeBlock && posture !== "no-ai" && posture !== "closed",
      "The server answers 403 to crawlers that robots.txt lets in.",
      { probes: 3, refused: edgeBlock ? random.between(2, 3) : 0 },
    ),

  "bot-wall": ({ site: { botWall }, random }) => {
    const layered = random.chance(0.08);
    if (botWall || !layered) {
      return penalty(botWall, "A challenge stands in the place of the page.", { layer: false });
    }
    return told("warn", { warn: "A consent layer covers text that is there." }, { layer: true });
  },

  "soft-404": (visit) =>
    penalty(
      !visit.random.chance(visit.quality + 0.45),
      "A made-up address gets a page with status 200.",
      { probe: `/${visit.random.code(12)}` },
    ),

  "empty-shell": ({ words }) =>
    penalty(words.sent < 25, "Without scripts the homepage has next to no words.", {
      words: words.sent,
    }),
};

function offered(
  { random }: Visit,
  probability: number,
  summary: string,
  details: Verdict["details"],
): Verdict {
  return random.chance(probability) ? told("pass", { pass: summary }, details) : missing();
}

function missing(): Verdict {
  return told("fail", { fail: "Not found." }, {});
}

function penalty(found: boolean, summary: string, details: Verdict["details"]): Verdict {
  return told(found ? "fail" : "pass", { fail: summary, pass: "Not found." }, details);
}
