import { describe, expect, it } from "vitest";
import { fileHeaders, treeFiles } from "../../src/export/headers.js";
import { CLOUDFLARE, hostFiles, requireFits } from "../../src/export/hosts.js";
import { treeOf } from "../store/trees.js";
import { exportedSite, variedListings } from "./sites.js";

const printed = (host: Parameters<typeof hostFiles>[0], base = "/") =>
  hostFiles(host, "/srv/site", base);
const linesOf = (text: string | undefined) =>
  (text ?? "").split("\n").filter((line) => line !== "");

const DIRECTORY = "public, max-age=0, s-maxage=60, must-revalidate";
const LASTING = "public, max-age=31536000, immutable";

describe("the table of a tree's files", () => {
  it.each(
    Object.entries({
      "index.html": ["text/html; charset=utf-8", DIRECTORY],
      "sites/x.html.html": ["text/html; charset=utf-8", DIRECTORY],
      "sites/x.md/scans/a.html": ["text/html; charset=utf-8", DIRECTORY],
      "sites/x.yy": ["text/html; charset=utf-8", DIRECTORY],
      "sites/x.yy/report.md": ["text/markdown; charset=utf-8", DIRECTORY],
      "assets/report-0badcafe.css": ["text/css; charset=utf-8", LASTING],
      ".well-known/api-catalog": ["application/linkset+json", "public, max-age=60"],
      "api/standards": ["application/json", "public, max-age=60"],
      "api/sites/x.example/enrichment.json": ["application/json", "no-cache"],
      "feeds/news.xml": ["application/atom+xml; charset=utf-8", DIRECTORY],
      "data/current.json": ["application/json", "no-cache"],
      [`data/${"0".repeat(32)}/manifest.json`]: ["application/json", LASTING],
      "data/segments/a.brief": ["application/octet-stream", LASTING],
      "404.html": ["text/html; charset=utf-8", "no-store"],
      "not-listed.svg": ["image/svg+xml", "no-store"],
    }),
  )("has the type and the cache header of %s", (path, sent) => {
    const headers = fileHeaders(path);
    expect([headers["Content-Type"], headers["Cache-Control"]]).toEqual(sent);
  });

  it("has the policies of the runtime", () => {
    const policy = (path: string) => fileHeaders(path)["Content-Security-Policy"];
    expect(policy("sites/x.yy.html")).toContain("img-src 'self';");
    expect(policy("index.html")).toContain("img-src 'self' https:;");
    expect(policy("assets/search-0badcafe.js")).toContain("connect-src 'self'");
    expect(policy("robots.txt")).toContain("sandbox");
    expect(fileHeaders("standards")["Cross-Origin-Opener-Policy"]).toBe("same-origin");
    expect(fileHeaders("feed.xml")["Cross-Origin-Opener-Policy"]).toBeUndefined();
    expect(fileHeaders("api/tags")["Access-Control-Allow-Origin"]).toBe("*");
  });
});

describe("what a host reads", () => {
  it("stays within what Cloudflare takes, without a path that has a header from two rules", () => {
    const rules = linesOf(printed("cloudflare").files.get("_headers"));
    const paths = rules.filter((line) => line.startsWith("/"));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.length).toBeLessThanOrEqual(CLOUDFLARE.headerRules);
    // The pattern of each rule, as Cloudflare reads it.
    const patterns = paths
      .slice(1)
      .map(
        (path) =>
          new RegExp(
            `^${path.replaceAll(".", "[.]").replace(/:\w+/g, "[^/]+").replace("*", ".*")}$`,
          ),
      );
    const names = treeFiles().map(({ file }) => `/${file.replace(/\{\w+\}/g, "x")}`);
    for (const name of names.filter((one) => !one.endsWith("/index.html"))) {
      for (const address of [name, name.replace(/(?:index)?[.](?:html|json)$/, "")]) {
        expect([address, patterns.filter((one) => one.test(address)).length <= 1]).toEqual([
          address,
          true,
        ]);
      }
    }
  });

  it("names the path below which the site is published", () => {
    for (const host of ["cloudflare", "netlify"] as const) {
      const { files } = printed(host, "/directory/");
      const rules = [...files.values()].flatMap(linesOf).filter((line) => line.startsWith("/"));
      expect(rules.filter((line) => line !== "/*" && !line.startsWith("/directory/"))).toEqual([]);
      expect(files.get("_redirects")).toContain(" /directory/api/sites/:host/report.json 200");
    }
    expect(printed("apache", "/directory/").files.get(".htaccess")).toContain(
      "ErrorDocument 404 /directory/404.html",
    );
    expect(printed("caddy", "/directory/").beside.get(".Caddyfile")).toContain(
      "handle_path /directory/* {",
    );
    expect(printed("nginx", "/directory/").beside.get(".nginx.conf")).toContain(
      "rewrite ^/directory(/.*)$ $1;",
    );
  });

  it("is short, and nothing for a plain host", () => {
    const lines = (["nginx", "caddy", "apache", "netlify", "s3"] as const).map((host) => {
      const { files, beside } = printed(host);
      return [...files.values(), ...beside.values()].flatMap(linesOf).length;
    });
    expect(lines.filter((count) => count < 10 || count > 310)).toEqual([]);
    const { files, beside } = printed("plain");
    expect([files.size, beside.size]).toEqual([0, 0]);
  });

  it("quotes the tree's path for nginx, and refuses one that nginx would read differently", () => {
    const conf = hostFiles("nginx", "/srv/it's", "/").beside.get(".nginx.conf");
    expect(conf).toContain("root '/srv/it\\'s';");
    expect(() => hostFiles("nginx", "/srv/$site", "/")).toThrow("nginx reads a $ as a variable");
    expect(() => hostFiles("caddy", "/srv/`site", "/")).toThrow("Caddy has no escape");
  });
});

describe("the upload's groups", () => {
  interface Groups {
    groups: { include: string[]; contentType: string; cacheControl: string }[];
  }
  const { groups } = JSON.parse(printed("s3").beside.get(".upload.json") ?? "") as Groups;
  /** A pattern as `rclone` reads it, and as `aws s3` does. */
  const globs = ["[^/]*", ".*"].map(
    (star) => (glob: string) =>
      new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", star)}$`),
  );

  it("have each file of a tree with the headers of the table, for rclone and for aws s3", async () => {
    const site = await exportedSite(variedListings(), { for: "s3" });
    const names = Object.keys(await treeOf(site.site)).filter((name) => name !== ".nojekyll");
    expect(names.length).toBeGreaterThan(60);
    for (const globOf of globs) {
      for (const name of names) {
        const found = groups.filter(({ include }) =>
          include.some((glob) => globOf(glob).test(name)),
        );
        const headers = fileHeaders(name);
        expect([name, found.map((one) => [one.contentType, one.cacheControl])]).toEqual([
          name,
          [[headers["Content-Type"], headers["Cache-Control"]]],
        ]);
      }
    }
  });

  it("have the file that names the others last", () => {
    expect(groups.at(-1)?.include).toEqual(["data/current.json"]);
  });
});

describe("the limits of hosts", () => {
  const small = { files: 20_000, largestBytes: 25 * 2 ** 20, largestFolder: 54_000 };

  it("are checked before a file is written: a paid plan's are a warning", () => {
    expect(requireFits("cloudflare", small)).toEqual([]);
    expect(requireFits("cloudflare", { ...small, files: 100_000 })).toEqual([
      "100,000 files; Cloudflare takes 20,000 (100,000 on paid plans): use --packed or --only pages",
    ]);
    expect(() => requireFits("cloudflare", { ...small, files: 156_420 })).toThrow(
      "the tree would have 156,420 files; Cloudflare takes 20,000 (100,000 on paid plans): use " +
        "--packed or --only pages",
    );
    expect(() => requireFits("cloudflare", { ...small, largestBytes: 25 * 2 ** 20 + 1 })).toThrow(
      "a file of 26 MiB; Cloudflare takes 25 MiB a file",
    );
    expect(() => requireFits("netlify", { ...small, largestFolder: 54_001 })).toThrow(
      "54,001 files in one folder; Netlify takes 54,000: use --packed or --only pages",
    );
    expect(requireFits("nginx", { ...small, files: 1e6 })).toEqual([]);
  });
});
