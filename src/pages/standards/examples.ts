/** An answer that passes a check and one that fails it, as a crawler gets them. */
export interface CheckExample {
  readonly passes: string;
  readonly fails: string;
}

const HTML_TYPE = "HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-8";
const page = (body: string) => `${HTML_TYPE}\n\n<!doctype html>\n${body}`;
const request = (line: string, answer: string) => `${line}\nHost: example.org\n\n${answer}`;
const NOT_FOUND = "HTTP/1.1 404 Not Found";

/**
 * Examples of the checks that many methodologies have, by their ids. A check of another id has none: only its
 * publisher knows what it looks for.
 */
export const CHECK_EXAMPLES: Readonly<Record<string, CheckExample>> = {
  https: {
    passes: request(
      "GET http://example.org/ HTTP/1.1",
      "HTTP/1.1 301 Moved Permanently\nLocation: https://example.org/",
    ),
    fails:
      "$ curl https://example.org/\ncurl: (60) SSL certificate problem: certificate has expired",
  },
  "robots-txt": {
    passes: request(
      "GET /robots.txt HTTP/1.1",
      "HTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: *\nDisallow: /cart\nSitemap: " +
        "https://example.org/sitemap.xml",
    ),
    fails: request("GET /robots.txt HTTP/1.1", page("<title>Page not found</title>")),
  },
  "crawler-access": {
    passes: "User-agent: *\nAllow: /",
    fails:
      "User-agent: OAI-SearchBot\nUser-agent: ChatGPT-User\nUser-agent: PerplexityBot\nDisallow: /",
  },
  "status-codes": {
    passes: request("GET /no-such-page HTTP/1.1", NOT_FOUND),
    fails: request("GET / HTTP/1.1", "HTTP/1.1 503 Service Unavailable"),
  },
  "server-rendered": {
    passes: page(
      "<main>\n<h1>Sow peas in March</h1>\n<p>Peas like cool soil. Sow them 5 cm deep…</p>\n</main>",
    ),
    fails: page('<div id="root"></div>\n<script src="/app.js"></script>'),
  },
  redirects: {
    passes: "http://example.org/\n  301 https://example.org/\n  200",
    fails:
      "http://example.org/\n  301 http://www.example.org/\n  302 https://www.example.org/\n  302 " +
      "https://www.example.org/en\n  301 https://www.example.org/en/\n  200",
  },
  compression: {
    passes: "HTTP/1.1 200 OK\nContent-Encoding: br\nContent-Length: 9120",
    fails: "HTTP/1.1 200 OK\nContent-Length: 61440",
  },
  caching: {
    passes: request(
      'GET / HTTP/1.1\nIf-None-Match: "7c1"',
      'HTTP/1.1 304 Not Modified\nETag: "7c1"',
    ),
    fails: `${HTML_TYPE}\nCache-Control: no-store`,
  },
  "meta-robots": {
    passes: "<head>\n<title>Sow peas in March</title>\n</head>",
    fails: '<head>\n<meta name="robots" content="noindex">\n</head>',
  },
  "title-description": {
    passes:
      '<title>Sow peas in March: a guide</title>\n<meta name="description" content="When and how to ' +
      'sow peas, how deep, and what to do about frost and slugs.">',
    fails: "<title></title>",
  },
  headings: {
    passes: "<main>\n<h1>Peas</h1>\n<h2>Sowing</h2>\n<h2>Harvest</h2>\n</main>",
    fails: '<div class="big">Peas</div>\n<div class="mid">Sowing</div>',
  },
  language: { passes: '<html lang="de">', fails: "<html>" },
  hreflang: {
    passes:
      '<link rel="alternate" hreflang="en" href="https://example.org/">\n<link rel="alternate" ' +
      'hreflang="de" href="https://example.org/de/">',
    fails: '<a href="/de/">Deutsch</a>',
  },
  canonical: {
    passes: '<link rel="canonical" href="https://example.org/peas">',
    fails: '<link rel="canonical" href="http://staging.example.org/peas?x=1">',
  },
  "image-alt": {
    passes: '<img src="peas.jpg" alt="Pea plants on a trellis in June">',
    fails: '<img src="peas.jpg">',
  },
  "structured-data": {
    passes:
      '<script type="application/ld+json">\n{"@context": "https://schema.org", "@type": "Article",\n ' +
      '"headline": "Sow peas in March", "datePublished": "2026-03-01"}\n</script>',
    fails: '<script type="application/ld+json">\n{"@type": "Article", "headline": }\n</script>',
  },
  sitemap: {
    passes: request(
      "GET /sitemap.xml HTTP/1.1",
      "HTTP/1.1 200 OK\nContent-Type: application/xml\n\n" +
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
        "<url><loc>https://example.org/peas</loc><lastmod>2026-03-01</lastmod></url>\n</urlset>",
    ),
    fails: request("GET /sitemap.xml HTTP/1.1", NOT_FOUND),
  },
  "llms-txt": {
    passes: request(
      "GET /llms.txt HTTP/1.1",
      "HTTP/1.1 200 OK\nContent-Type: text/plain\n\n# Example Garden\n\n- " +
        "[Sowing](https://example.org/sowing.md): what to sow when",
    ),
    fails: request("GET /llms.txt HTTP/1.1", NOT_FOUND),
  },
  "link-headers": {
    passes: 'HTTP/1.1 200 OK\nLink: </api/openapi.json>; rel="service-desc"',
    fails: HTML_TYPE,
  },
  "markdown-answers": {
    passes: request(
      "GET / HTTP/1.1\nAccept: text/markdown",
      "HTTP/1.1 200 OK\nContent-Type: text/markdown; charset=utf-8\n\n# Example Garden",
    ),
    fails: request("GET / HTTP/1.1\nAccept: text/markdown", HTML_TYPE),
  },
  openapi: {
    passes: request(
      "GET /openapi.json HTTP/1.1",
      'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"openapi": "3.1.0", "info": {…}, "paths": {…}}',
    ),
    fails: request("GET /openapi.json HTTP/1.1", NOT_FOUND),
  },
  feed: {
    passes: '<link rel="alternate" type="application/atom+xml" href="/feed.xml">',
    fails: "<head>\n<title>News</title>\n</head>",
  },
  "blocks-ai-crawlers": {
    passes: "User-agent: GPTBot\nDisallow: /\n\nUser-agent: OAI-SearchBot\nAllow: /",
    fails: "User-agent: *\nDisallow: /",
  },
  "edge-block": {
    passes: request("GET / HTTP/1.1\nUser-Agent: OAI-SearchBot/1.3", HTML_TYPE),
    fails: request("GET / HTTP/1.1\nUser-Agent: OAI-SearchBot/1.3", "HTTP/1.1 403 Forbidden"),
  },
  "bot-wall": {
    passes: page("<h1>Sow peas in March</h1>\n<p>Peas like cool soil…</p>"),
    fails: page("<h1>Checking your browser</h1>\n<p>Enable JavaScript to continue.</p>"),
  },
  "soft-404": {
    passes: request("GET /q7x1-no-such-page HTTP/1.1", NOT_FOUND),
    fails: request("GET /q7x1-no-such-page HTTP/1.1", page("<h1>Welcome to Example Garden</h1>")),
  },
  "empty-shell": {
    passes: page("<h1>Sow peas in March</h1>\n<p>Peas like cool soil…</p>"),
    fails: page('<body>\n<div id="app"></div>\n<script src="/main.js"></script>\n</body>'),
  },
};
