/** The documents that the checks rest on. */
export const SOURCE = {
  robots: rfc(9309, "RFC 9309, Robots Exclusion Protocol"),
  http: rfc(9110, "RFC 9110, HTTP Semantics"),
  caching: rfc(9111, "RFC 9111, HTTP Caching"),
  linking: rfc(8288, "RFC 8288, Web Linking"),
  catalog: rfc(9727, "RFC 9727, api-catalog"),
  linkset: rfc(9264, "RFC 9264, Linkset"),
  atom: rfc(4287, "RFC 4287, The Atom Syndication Format"),
  markdown: rfc(7763, "RFC 7763, The text/markdown Media Type"),
  languageTags: rfc(5646, "RFC 5646, Tags for Identifying Languages"),
  canonical: rfc(6596, "RFC 6596, The Canonical Link Relation"),
  transport: rfc(9325, "RFC 9325, Recommendations for Secure Use of TLS"),
  hsts: rfc(6797, "RFC 6797, HTTP Strict Transport Security"),
  signatures: rfc(9421, "RFC 9421, HTTP Message Signatures"),
  sitemaps: { label: "Sitemaps XML format", url: "https://www.sitemaps.org/protocol.html" },
  schema: { label: "schema.org", url: "https://schema.org/docs/gs.html" },
  jsonLd: { label: "JSON-LD 1.1", url: "https://www.w3.org/TR/json-ld11/" },
  llms: { label: "The /llms.txt file", url: "https://llmstxt.org/" },
  openapi: { label: "OpenAPI Specification", url: "https://spec.openapis.org/oas/latest.html" },
  rss: { label: "RSS 2.0", url: "https://www.rssboard.org/rss-specification" },
  mcp: { label: "Model Context Protocol", url: "https://modelcontextprotocol.io/specification" },
  wcag: { label: "WCAG 2.2", url: "https://www.w3.org/TR/WCAG22/" },
  landmarks: {
    label: "ARIA Authoring Practices: landmark regions",
    url: "https://www.w3.org/WAI/ARIA/apg/practices/landmark-regions/",
  },
  html: { label: "HTML Standard", url: "https://html.spec.whatwg.org/multipage/" },
  metaRobots: {
    label: "Robots meta tag and X-Robots-Tag",
    url: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
  },
  rendering: {
    label: "Rendering on the web",
    url: "https://web.dev/articles/rendering-on-the-web",
  },
  hreflang: {
    label: "Localized versions of a page",
    url: "https://developers.google.com/search/docs/specialty/international/localized-versions",
  },
  softErrors: {
    label: "HTTP status codes and soft 404 errors",
    url: "https://developers.google.com/crawling/docs/troubleshooting/http-status-codes",
  },
  commerce: {
    label: "Agentic Commerce Protocol",
    url: "https://www.agenticcommerce.dev/",
  },
  amp: { label: "AMP", url: "https://amp.dev/documentation/" },
  crawlers: {
    label: "ai.robots.txt, a public list of AI crawlers",
    url: "https://github.com/ai-robots-txt/ai.robots.txt",
  },
} as const;

function rfc(number: number, label: string) {
  return { label, url: `https://www.rfc-editor.org/rfc/rfc${number}` };
}
