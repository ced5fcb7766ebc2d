import { describe, expect, it } from "vitest";
import { HOSTS } from "../../../src/site/hosts/hosts.js";
import { checkLimits, HOST_LIMITS } from "../../../src/site/hosts/limits.js";
import { uploadGroups } from "../../../src/site/hosts/s3.js";

const facts = { root: "/srv/site", base: "/", name: "A directory", isPacked: false };
const linesOf = (text: string | undefined) =>
  (text ?? "").split("\n").filter((line) => line !== "");

describe("the rules of hosts", () => {
  it("stay within what Cloudflare and CloudFront take", () => {
    const headers = linesOf(HOSTS.cloudflare(facts).files.get("_headers"));
    const rules = headers.filter((line) => line.startsWith("/"));
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.length).toBeLessThanOrEqual(HOST_LIMITS.cloudflare?.headerRules ?? 0);
    expect(new Set(rules).size).toBe(rules.length);
    const code = HOSTS.s3(facts).beside.get(".cloudfront.js") ?? "";
    expect(Buffer.byteLength(code)).toBeLessThan(10_000);
  });

  it("name the path below which the site is published", () => {
    const below = { ...facts, base: "/directory/" };
    for (const host of ["cloudflare", "netlify"] as const) {
      const { files } = HOSTS[host](below);
      const paths = ["_headers", "_redirects"].flatMap((name) => linesOf(files.get(name)));
      const named = paths.filter((line) => line.startsWith("/"));
      expect(named.filter((line) => !line.startsWith("/directory/"))).toEqual([]);
      expect(files.get("_redirects")).toContain(" /directory/api/sites/:host/report.json 200");
    }
    const htaccess = HOSTS.apache(below).files.get(".htaccess");
    expect(htaccess).toContain("ErrorDocument 404 /directory/%{reqenv:");
    expect(HOSTS.caddy(below).beside.get(".Caddyfile")).toContain("handle_path /directory/* {");
  });

  it("lead browsers to the page that answers the reports of a packed tree", () => {
    const packed = { ...facts, name: "A directory", isPacked: true };
    const textsOf = (given: typeof facts) => [
      HOSTS.apache(given).files.get(".htaccess"),
      HOSTS.caddy(given).beside.get(".Caddyfile"),
    ];
    const leading =
      /"\^sites\/\[\^\/\]\*\$" - \[E=crawldex_error:404[.]html|handle @person \{\s+rewrite \* \/404[.]html/;
    for (const text of textsOf(packed)) expect(text).toMatch(leading);
    for (const text of textsOf(facts)) expect(text).not.toMatch(leading);
  });

  it("are none for a plain host", () => {
    const { files, beside } = HOSTS.plain(facts);
    expect([files.size, beside.size, HOST_LIMITS.plain]).toEqual([0, 0, null]);
  });
});

describe("the upload's groups", () => {
  const id = "0".repeat(32);
  const PATHS: Readonly<Record<string, string>> = {
    "index.html": "text/html; charset=utf-8, public, max-age=0, s-maxage=60, must-revalidate",
    "sites/x.html.html":
      "text/html; charset=utf-8, public, max-age=0, s-maxage=60, must-revalidate",
    "sites/x.md/scans/a.html":
      "text/html; charset=utf-8, public, max-age=0, s-maxage=60, must-revalidate",
    "assets/report-0badcafe.css": "text/css; charset=utf-8, public, max-age=31536000, immutable",
    ".well-known/api-catalog": "application/linkset+json, public, max-age=60",
    "api/sites/x.example/enrichment.json": "application/json, no-cache",
    "data/current.json": "application/json, no-cache",
    [`data/${id}/manifest.json`]: "application/json, public, max-age=31536000, immutable",
    "data/search/0-a.bin": "application/octet-stream, public, max-age=31536000, immutable",
  };

  it.each(Object.entries(PATHS))("%s is in one, with its type and cache header", (path, sent) => {
    const groups = uploadGroups().filter(({ include }) =>
      include.some((glob) => globOf(glob).test(path)),
    );
    expect(
      groups.map(({ contentType, cacheControl }) => `${contentType}, ${cacheControl}`),
    ).toEqual([sent]);
  });

  it("have the file that names the others last", () => {
    expect(uploadGroups().at(-1)?.include).toEqual(["data/current.json"]);
  });

  /** A pattern as `rclone` reads it. */
  function globOf(glob: string): RegExp {
    const stars = (text: string) => (text === "**" ? ".*" : "[^/]*");
    return new RegExp(`^${glob.replaceAll(".", "\\.").replace(/\*+/g, stars)}$`);
  }
});

describe("the limits", () => {
  const small = { files: 20_000, largestBytes: 25 * 2 ** 20, bytes: 1e9, largestFolder: 54_000 };

  it("are checked for hosts that have them", () => {
    expect(checkLimits("cloudflare", small)).toBeNull();
    expect(checkLimits("cloudflare", { ...small, files: 156_420 })).toBe(
      "156,420 files; Cloudflare takes 20,000 (100,000 on paid plans): use --packed or --only pages",
    );
    expect(checkLimits("cloudflare", { ...small, largestBytes: 25 * 2 ** 20 + 1 })).toBe(
      "a file of 26 MiB; Cloudflare takes 25 MiB a file",
    );
    expect(checkLimits("netlify", { ...small, largestFolder: 54_001 })).toBe(
      "54,001 files in one folder; Netlify takes 54,000: use --packed or --only pages",
    );
    expect(checkLimits("nginx", { ...small, files: 1e6 })).toBeNull();
  });
});
