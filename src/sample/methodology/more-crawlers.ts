import { type Crawler, crawler } from "./crawler.js";
import { SOURCE } from "./sources.js";

const MISTRAL = "https://docs.mistral.ai/robots";
/** Where an operator has published nothing, the public list that records its visits. */
const LISTED = SOURCE.crawlers.url;

export const MORE_CRAWLERS: readonly Crawler[] = [
  crawler({
    name: "Amazonbot",
    operator: "Amazon",
    purpose: "search",
    verification: "reverse-dns",
    summary: "Improves Amazon's services, such as Alexa's answers to questions.",
    sources: ["https://developer.amazon.com/amazonbot"],
  }),
  crawler({
    name: "Bingbot",
    operator: "Microsoft",
    purpose: "search",
    verification: "reverse-dns",
    summary: "Bing's crawler; its index also grounds Copilot's answers.",
    sources: [
      "https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
      "https://www.bing.com/toolbox/bingbot.json",
    ],
  }),
  crawler({
    name: "DuckAssistBot",
    operator: "DuckDuckGo",
    purpose: "user-fetch",
    verification: "ip-list",
    summary: "Fetches pages for DuckDuckGo's AI-assisted answers, which cite them.",
    sources: ["https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot/"],
  }),
  crawler({
    name: "MistralAI-User",
    operator: "Mistral AI",
    purpose: "user-fetch",
    verification: "ip-list",
    summary: "Visits a page to help answer what a person asked Mistral's assistant.",
    sources: [MISTRAL],
  }),
  crawler({
    name: "MistralAI-Index",
    operator: "Mistral AI",
    purpose: "search",
    verification: "ip-list",
    summary: "Indexes content for Mistral's search; not used for training.",
    sources: [MISTRAL],
  }),
  crawler({
    name: "YouBot",
    operator: "You.com",
    purpose: "search",
    verification: "signature",
    summary: "Discovers and indexes pages for the You.com search engine.",
    sources: ["https://docs.you.com/youbot"],
  }),
  crawler({
    name: "CCBot",
    operator: "Common Crawl",
    purpose: "training",
    verification: "ip-list",
    summary: "Collects an open archive of the web that is widely used, also to train models.",
    sources: ["https://commoncrawl.org/ccbot"],
  }),
  crawler({
    name: "AI2Bot",
    operator: "Ai2",
    purpose: "training",
    verification: "none",
    summary: "Explores certain domains for content to train open language models.",
    sources: ["https://allenai.org/crawler"],
    aliases: ["Ai2Bot-Dolma"],
  }),
  crawler({
    name: "Diffbot",
    operator: "Diffbot",
    purpose: "extraction",
    verification: "none",
    summary: "Turns pages into structured data for its customers and its knowledge graph.",
    sources: ["https://docs.diffbot.com/", LISTED],
    notes: "Customers can choose whether robots.txt is applied.",
  }),
  crawler({
    name: "FirecrawlAgent",
    operator: "Firecrawl",
    purpose: "extraction",
    verification: "none",
    summary: "Fetches pages for a service that turns sites into text for language models.",
    sources: ["https://docs.firecrawl.dev/", LISTED],
  }),
  crawler({
    name: "Bytespider",
    operator: "ByteDance",
    purpose: "training",
    verification: "none",
    summary: "Collects pages, by common understanding for the training of language models.",
    sources: [LISTED],
    status: "undocumented",
    notes: "No public documentation of its operator is known to us.",
  }),
  crawler({
    name: "cohere-ai",
    operator: "Cohere",
    purpose: "user-fetch",
    verification: "none",
    summary: "Seems to fetch pages for answers to prompts of people.",
    sources: [LISTED],
    status: "undocumented",
    notes: "No public documentation of its operator is known to us.",
  }),
];
