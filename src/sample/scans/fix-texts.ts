/** How a check that found something is repaired. */
export interface FixTexts {
  readonly title: string;
  /** What kind of work it is. */
  readonly kind: "configuration" | "markup" | "content" | "server";
  readonly summary: string;
  /** The task for a coding assistant. */
  readonly prompt: string;
}

/** Fixes by check. `{host}` stands for the site's host. */
export const FIX_TEXTS: Readonly<Record<string, FixTexts>> = {
  https: {
    title: "Serve everything over HTTPS",
    kind: "server",
    summary: "Obtain a certificate for the host and redirect plain HTTP to it.",
    prompt:
      "Configure the web server of {host} so that HTTPS has a certificate that is valid for the host and renews itself, and so that every request over HTTP gets a 308 to the same path over HTTPS. Show me the configuration and how to test it with curl.",
  },
  "robots-txt": {
    title: "Publish a valid robots.txt",
    kind: "configuration",
    summary: "A short file with one group for all crawlers and the sitemap's address is enough.",
    prompt:
      "Write https://{host}/robots.txt by RFC 9309: one group for all user agents that forbids only what must not be read (sign-in, cart, internal search), and a Sitemap line. It must answer 200 as text/plain. Keep the rules that exist today unless they are malformed.",
  },
  "crawler-access": {
    title: "Let AI search and assistants read the homepage",
    kind: "configuration",
    summary: "Allow search and user-fetch identities; refuse training separately if you wish.",
    prompt:
      "In the robots.txt of {host}, allow OAI-SearchBot, ChatGPT-User, Claude-SearchBot, Claude-User, PerplexityBot and Perplexity-User to read public pages. Ask me first whether training crawlers (GPTBot, ClaudeBot, Google-Extended, CCBot) are to be allowed, and keep the two groups apart.",
  },
  "status-codes": {
    title: "Return 200 for pages and 404 for missing ones",
    kind: "server",
    summary: "Find the pages that answer with an error and repair or remove them.",
    prompt:
      "Request every address of the sitemap of {host} and list those that do not answer 200. Repair the routes behind them, or remove them from the sitemap. Addresses that do not exist must answer 404 with a short page that links home.",
  },
  "server-rendered": {
    title: "Send the text in the HTML",
    kind: "server",
    summary: "Render pages on the server or at build time, so that the text needs no script.",
    prompt:
      "The homepage of {host} is written by JavaScript in the browser. Switch the project to server-side rendering or to static generation with the framework that it uses already, so that headings, texts and links are in the first HTML response. Verify with curl that the main text is there, and keep the client-side behaviour.",
  },
  redirects: {
    title: "Shorten the redirect chain",
    kind: "server",
    summary: "Lead every variant of the host to the final address in one step.",
    prompt:
      "Make http://{host}/, http://www.{host}/ and https://www.{host}/ redirect to the canonical homepage in one hop with status 308. No redirect may be done by script or meta refresh.",
  },
  "response-budget": {
    title: "Answer faster",
    kind: "server",
    summary: "Cache the rendered homepage and leave out what it does not need.",
    prompt:
      "Profile the homepage of {host}. Bring the time to the last byte of its HTML under two seconds: cache the rendered page, remove blocking calls to other services, and keep the HTML below one megabyte. Report the times before and after.",
  },
  compression: {
    title: "Compress text",
    kind: "server",
    summary: "Turn on gzip and Brotli for HTML, JSON, XML and plain text.",
    prompt:
      "Turn on compression (Brotli and gzip) for text types on the web server of {host}, with Vary: Accept-Encoding, for answers over one kilobyte. Check with curl --compressed.",
  },
  caching: {
    title: "Answer conditional requests",
    kind: "server",
    summary: "Send an ETag or Last-Modified and honour If-None-Match.",
    prompt:
      "Give the pages of {host} a strong ETag that changes with their content, and answer If-None-Match with 304 and no body. Check that two requests in a row for an unchanged page give 200 and then 304.",
  },
  "meta-robots": {
    title: "Remove directives that hide pages",
    kind: "markup",
    summary: "Take noindex and snippet limits off public pages.",
    prompt:
      "Search the templates and the server configuration of {host} for robots meta tags and X-Robots-Tag headers. Remove noindex, none and nosnippet from public pages; leave them on sign-in, cart and search result pages.",
  },
  "title-description": {
    title: "Write titles and descriptions",
    kind: "content",
    summary: "Give each page its own title and a description of one or two sentences.",
    prompt:
      "For each page type of {host}, write a title (10 to 70 characters, most specific words first) and a meta description (50 to 320 characters) from the page's content. No two pages may share one. Show me ten examples before you change the templates.",
  },
  headings: {
    title: "Mark up headings and the main region",
    kind: "markup",
    summary: "One first-level heading, no skipped levels, content inside main.",
    prompt:
      "Restructure the templates of {host}: exactly one h1 a page, no skipped heading levels, and the landmarks header, nav, main and footer. Looks must not change. List every template that you touched.",
  },
  language: {
    title: "Declare the language",
    kind: "markup",
    summary: "Set lang on the html element to the language of the text.",
    prompt:
      "Set the lang attribute of the html element on every page of {host} to the BCP 47 tag of the page's main language, and mark longer passages in other languages with their own lang.",
  },
  hreflang: {
    title: "Link the language versions",
    kind: "markup",
    summary: "Let each version name all versions, itself included.",
    prompt:
      "Add rel=alternate hreflang links to all translated pages of {host}: each version names every version and itself, plus x-default. Verify that all links return.",
  },
  canonical: {
    title: "Name one canonical address a page",
    kind: "markup",
    summary: "Add an absolute canonical link to every page, once.",
    prompt:
      "Give every page of {host} exactly one absolute canonical link that answers 200 without a redirect. Remove contradicting Link headers, and leave tracking parameters out of the address.",
  },
  "image-alt": {
    title: "Describe images",
    kind: "content",
    summary: "Give content images an alternative text, decorative ones an empty one.",
    prompt:
      "List all images of {host} without an alt attribute. Write a short text for each that carries content, in the page's language; give decorative ones an empty alt. Do not begin with 'image of'.",
  },
  "structured-data": {
    title: "Add structured data",
    kind: "markup",
    summary: "Describe the organisation and the main thing of each page in JSON-LD.",
    prompt:
      "Add JSON-LD by schema.org to {host}: Organization and WebSite on the homepage, and the most specific type that fits on each page type (Product with Offer, Article with author and dates, LocalBusiness with opening hours). Only state what the page shows. Validate the result.",
  },
  sitemap: {
    title: "Publish a sitemap",
    kind: "configuration",
    summary: "List all public pages with their dates, and name the file in robots.txt.",
    prompt:
      "Generate https://{host}/sitemap.xml at every deployment: all canonical public addresses, each with the true date of its last change. Name it in robots.txt. Leave out redirects, errors and pages with noindex.",
  },
  "llms-txt": {
    title: "Write an llms.txt",
    kind: "content",
    summary: "A short guide in Markdown with links to the pages that matter. Adds no points.",
    prompt:
      "Write /llms.txt for {host} as llmstxt.org proposes: a title, one paragraph that says what the site is, and sections of links to the ten to thirty most useful pages with a line about each.",
  },
  "blocks-ai-crawlers": {
    title: "Reconsider the ban on AI search",
    kind: "configuration",
    summary: "If answers may cite you, allow the search and user-fetch identities.",
    prompt:
      "The robots.txt of {host} forbids the site to AI search crawlers. Explain to me what each forbidden identity is used for, and propose a version that allows search and user fetches but keeps the ban on training.",
  },
  "edge-block": {
    title: "Let allowed crawlers through the firewall",
    kind: "server",
    summary: "Match the firewall's bot rules with robots.txt.",
    prompt:
      "The firewall or CDN in front of {host} answers 403 to crawlers that robots.txt allows. Find the rule, and replace it by one that verifies crawlers by the addresses or signatures that their operators publish.",
  },
  "bot-wall": {
    title: "Show the text without a challenge",
    kind: "server",
    summary: "Keep challenges for sign-in and forms, not for reading.",
    prompt:
      "Reading pages on {host} demands a browser challenge. Limit it to sign-in, forms and unusual request rates, so that a plain GET of a public page gets its text.",
  },
  "soft-404": {
    title: "Answer 404 for missing pages",
    kind: "server",
    summary: "Let unknown addresses answer with the status 404.",
    prompt:
      "Unknown addresses on {host} answer 200. Change the router so that whatever matches no page answers 404 with a helpful page, also for paths that the client-side router would handle.",
  },
};
