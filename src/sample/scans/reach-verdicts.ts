import { STANDARDS } from "../methodology/standards.js";
import type { Posture } from "../sites/site.js";
import { graded, type Judge, passedOrNot, told } from "./verdict.js";

const ISSUERS = ["Let's Encrypt", "Google Trust Services", "DigiCert", "Sectigo"];
/** The AI search crawlers and fetchers that the scanner plays through. */
const IDENTITIES = STANDARDS.crawlerCatalogue.filter(
  ({ scanner }) => scanner.visibilityPenalty,
).length;
/** How many of them each posture lets in. */
const LET_IN: Record<Posture, number> = {
  open: IDENTITIES,
  absent: IDENTITIES,
  "no-training": IDENTITIES,
  "no-ai": 0,
  closed: 0,
  contradictory: 8,
  unreachable: 0,
};

/** What the checks of block 1 find. */
export const REACH_VERDICTS: Readonly<Record<string, Judge>> = {
  https: (visit) => {
    const status = graded(visit, 0.35);
    const texts = {
      pass: "HTTPS works, and HTTP redirects to it.",
      warn: "HTTPS works, but HTTP answers by itself.",
      fail: "The certificate is not valid for this host.",
    };
    const { random } = visit;
    const certificate = { issuer: random.pick(ISSUERS), daysLeft: random.between(3, 360) };
    return told(status, texts, { certificate, redirectsFromHttp: status === "pass" });
  },

  "robots-txt": ({ site: { posture }, random }) => {
    if (posture === "absent") {
      return told("warn", { warn: "There is no robots.txt." }, { httpStatus: 404 });
    }
    if (posture === "unreachable") {
      return told("fail", { fail: "robots.txt answers 503." }, { httpStatus: 503 });
    }
    const unknownLines = random.chance(0.12) ? random.between(1, 4) : 0;
    const texts = {
      pass: "robots.txt is valid.",
      warn: `robots.txt has ${unknownLines} lines that no parser knows.`,
    };
    const details = { httpStatus: 200, bytes: random.between(60, 4_000), unknownLines };
    return told(unknownLines === 0 ? "pass" : "warn", texts, details);
  },

  "crawler-access": ({ site: { posture } }) => {
    const allowed = LET_IN[posture];
    const status = allowed === IDENTITIES ? "pass" : allowed > 0 ? "warn" : "fail";
    const texts = {
      pass: "All AI search crawlers and assistants may read the homepage.",
      warn: `${allowed} of ${IDENTITIES} identities may read the homepage.`,
      fail:
        posture === "unreachable"
          ? "With robots.txt failing, crawlers must assume that nothing may be read."
          : "No AI search crawler or assistant may read the homepage.",
    };
    return told(status, texts, { allowed, identities: IDENTITIES });
  },

  "status-codes": (visit) => {
    const { botWall } = visit.site;
    const status = botWall ? "fail" : passedOrNot(visit, 0.4) === "pass" ? "pass" : "warn";
    const texts = {
      pass: "All sampled pages answer 200.",
      warn: "One of the sampled pages answers 500.",
      fail: "The homepage answers 403.",
    };
    return told(status, texts, { homepage: botWall ? 403 : 200 });
  },

  "server-rendered": ({ words: { sent, rendered } }) => {
    const share = Math.round((sent / rendered) * 100);
    const status = share >= 80 ? "pass" : share >= 30 ? "warn" : "fail";
    const texts = {
      pass: "The text is in the HTML as sent.",
      warn: `Only ${share} % of the words are in the HTML as sent.`,
      fail: `Without scripts ${share} % of the words are left.`,
    };
    return told(status, texts, { wordsAsSent: sent, wordsRendered: rendered });
  },

  redirects: (visit) => {
    const status = graded(visit, 0.3);
    const hops = { pass: visit.random.between(0, 1), warn: 2, fail: visit.random.between(4, 6) };
    const texts = {
      pass: "The homepage is at most one redirect away.",
      warn: "It takes two redirects to reach the homepage.",
      fail: `It takes ${hops.fail} redirects to reach the homepage.`,
    };
    return told(status, texts, { hops: hops[status] });
  },

  "response-budget": (visit) => {
    const status = graded(visit, 0.15);
    const { random } = visit;
    const milliseconds = {
      pass: random.between(90, 1_900),
      warn: random.between(2_100, 9_000),
      fail: random.between(10_000, 24_000),
    }[status];
    const bytes = random.between(8_000, 480_000);
    const texts = {
      pass: "The homepage is quick and small enough.",
      warn: `The homepage takes ${milliseconds} ms.`,
      fail: `The homepage takes ${milliseconds} ms; most fetchers have given up by then.`,
    };
    return told(status, texts, { milliseconds, bytes });
  },

  compression: (visit) => {
    const status = passedOrNot(visit, 0.35);
    const encoding = status === "pass" ? visit.random.pick(["br", "gzip", "zstd"]) : null;
    const texts = {
      pass: `The HTML is compressed with ${encoding}.`,
      fail: "The HTML is sent uncompressed.",
    };
    return told(status, texts, { encoding });
  },

  caching: (visit) => {
    const status = graded(visit, -0.1);
    const texts = {
      pass: "A conditional request gets 304.",
      warn: "There is a validator, but a conditional request gets the whole page.",
      fail: "There is neither ETag nor Last-Modified.",
    };
    const validators = { pass: ["etag"], warn: ["last-modified"], fail: [] }[status];
    return told(status, texts, { validators, maxAge: visit.random.pick([0, 60, 600, 3_600]) });
  },

  "meta-robots": (visit) => {
    const status = graded(visit, 0.45);
    const texts = {
      pass: "No directive hides the homepage.",
      warn: "Snippets are limited to 50 characters.",
      fail: "The homepage says noindex.",
    };
    const directives = { pass: [], warn: ["max-snippet:50"], fail: ["noindex"] }[status];
    return told(status, texts, { directives, header: visit.random.chance(0.2) });
  },
};
