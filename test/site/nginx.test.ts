import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STYLE } from "../../src/pages/kit/assets.js";
import { serve } from "../../src/replica/serve.js";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { crawldex } from "../cli/spawned.js";
import { expectError, type Reply, type Sent, send } from "../runtime/http.js";
import { HEADERS, seen } from "./compared.js";
import { hasNginx, startNginx } from "./servers.js";
import { aSite, type Site, variedListings } from "./sites.js";
import { ABOVE, API_ADDRESSES, ENCODED, ERRORS, PAGES, READS, site } from "./targets.js";

const isThere = hasNginx();
if (!isThere)
  process.stderr.write("skipped: nginx is not installed, its configuration is not tried\n");

const cleanUps: (() => Promise<void>)[] = [];
let own: Site;
let runtime: RunningServer;
let nginx: RunningServer;
/** nginx that asks the runtime for what is computed. */
let proxying: RunningServer;

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** nginx with the printed configurations of a tree. */
async function nginxFor(
  folder: string,
  tree: string,
  finished: (cleanUp: () => Promise<void>) => void,
  options: readonly string[] = [],
): Promise<RunningServer> {
  const printed = async (...more: string[]) => (await crawldex(["export", tree, ...more])).stdout;
  await mkdir(folder);
  const server = await printed("--print-nginx", "--server");
  const started = await startNginx(folder, {
    server: server.replace("}\n", '    location /own/ { return 200 "own"; }\n}\n'),
    locations: await printed("--print-nginx", ...options),
  });
  finished(started.close);
  return { ...runtime, host: started.host, port: started.port };
}

async function both(target: string, sent?: Sent): Promise<{ ours: Reply; theirs: Reply }> {
  const [ours, theirs] = [await send(runtime, target, sent), await send(nginx, target, sent)];
  return { ours, theirs };
}

describe.skipIf(!isThere)("nginx with the printed configuration, compared with the runtime", () => {
  beforeAll(async () => {
    const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
    own = await aSite(variedListings(), 1, finished);
    await own.export();
    runtime = await serve(own.store, { port: 0, cards: false, host: "127.0.0.1", log: () => {} });
    finished(() => runtime.close());
    nginx = await nginxFor(join(own.folder, "alone"), own.site, finished);
    proxying = await nginxFor(join(own.folder, "proxying"), own.site, finished, [
      "--runtime",
      runtime.url,
    ]);
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  it.each([...READS, ...ENCODED, ...PAGES])("%s is the same 200", async (target) => {
    const { ours, theirs } = await both(target);
    expect(ours.status).toBe(200);
    expect(seen(theirs)).toEqual(seen(ours));
  });

  it.each(ERRORS)("%s is the same error", async (target) => {
    const { ours, theirs } = await both(target);
    expect([308, 400, 404]).toContain(ours.status);
    expect(seen(theirs)).toEqual(seen(ours));
  });

  it.each(ERRORS)("%s is the same error page to a browser", async (target) => {
    const { ours, theirs } = await both(target, { headers: { accept: BROWSER } });
    expect([200, 308, 400, 404]).toContain(ours.status);
    expect(seen(theirs)).toEqual(seen(ours));
  });

  describe.each(["text/html", BROWSER, "*/*", "application/json", ""])(
    "to Accept: %s",
    (accept) => {
      it.each(API_ADDRESSES)("%s is the same page, or the same error", async (target) => {
        for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
          const { ours, theirs } = await both(target, { method, headers: { accept } });
          expect([method, seen(theirs)]).toEqual([method, seen(ours)]);
        }
      });
    },
  );

  it.each(["/", "/?", "/?q=a&utm_source=x"])(
    "%s is the explorer with its first results, with the same headers",
    async (target) => {
      const { ours, theirs } = await both(target);
      expect([ours.status, theirs.status]).toEqual([200, 200]);
      expect(seen(theirs).headers).toEqual(seen(ours).headers);
      expect(theirs.text).toBe(await readFile(join(own.site, "index.html"), "utf8"));
      expect(ours.text).not.toBe(theirs.text);
    },
  );

  it.each(ABOVE)("%s is an error with the one error body", async (target) => {
    expectError(await send(nginx, target), 400);
  });

  it.each([
    ...["text/markdown", "text/html, text/markdown", "text/markdown, text/html;q=0.5"],
    ...["text/html", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8", "text/markdown;q=0"],
    "text/x-markdown",
  ])("a page and its error are the same to Accept: %s", async (accept) => {
    const targets = ["open.example", "open.example?scan=old", "blocked.example", "nowhere.example"];
    const bad = ["WWW.example", "open.example?scan=none", "nowhere.example?scan=none"];
    for (const target of [
      ...targets,
      ...bad,
      "open.example/report.md",
      "nowhere.example/report.md",
    ]) {
      const { ours, theirs } = await both(`/sites/${target}`, { headers: { accept } });
      expect([target, seen(theirs)]).toEqual([target, seen(ours)]);
    }
  });

  it("an invalid query of a page is a 400, but without its issues", async () => {
    for (const page of ["/sites/open.example", "/sites/open.example/report.md"]) {
      const { ours, theirs } = await both(`${page}?scan=a.b`);
      expectError(ours, 400);
      expectError(theirs, 400);
    }
  });

  it.each([...READS, ...ENCODED, ...ERRORS, ...PAGES])(
    "HEAD, OPTIONS and POST %s are the same",
    async (target) => {
      for (const method of ["HEAD", "OPTIONS", "POST", "DELETE"]) {
        const { ours, theirs } = await both(target, { method });
        expect([method, seen(theirs)]).toEqual([method, seen(ours)]);
      }
    },
  );

  it("an invalid query is a 400, but without its issues", async () => {
    const queries = [
      "scan=",
      "scan=a.b",
      "scan=new&scan=old",
      "sort=host",
      `scan=${"x".repeat(129)}`,
    ];
    const targets = queries.map((query) => `${site("open.example")}?${query}`);
    for (const target of [...targets, "/api/sites/open.example/enrichment?scan=new"]) {
      const { ours, theirs } = await both(target);
      expectError(ours, 400);
      expectError(theirs, 400);
    }
  });

  it("a scan that the plan does not include cannot be told from an unknown one", async () => {
    const { ours, theirs } = await both(`${site("locked.example")}?scan=old`);
    expect(ours.status).toBe(403);
    const unknown = await send(nginx, `${site("locked.example")}?scan=unknown`);
    expect(expectError(theirs, 404)).toEqual(expectError(unknown, 404));
  });

  it("computed answers are missing, and so are those that only the process knows", async () => {
    for (const target of [
      "/api/sites",
      "/api/sites/suggestions?q=ex",
      "/api/sites/facets",
      "/readyz",
    ]) {
      expectError(await send(nginx, target), 404);
    }
  });

  it("a conditional read is a 304 with its headers, a range gets the whole answer, long answers are compressed", async () => {
    const target = "/api/standards";
    const full = await send(nginx, target);
    const conditional = { headers: { "if-none-match": String(full.headers.etag) } };
    const same = await send(nginx, target, conditional);
    expect([same.status, same.text]).toEqual([304, ""]);
    for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"]) {
      expect([name, same.headers[name]]).toEqual([name, full.headers[name]]);
    }
    const range = await send(nginx, target, { headers: { range: "bytes=0-1" } });
    expect([range.status, range.text]).toEqual([200, full.text]);
    const packed = await send(nginx, target, { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(packed.bytes).toString("utf8")).toBe(full.text);
  });

  it("with a runtime, nginx passes on the computed reads, errors included", async () => {
    const reads = ["/api/sites", "/api/sites?q=ex&limit=2", "/api/sites/facets?band=good"];
    for (const target of [...reads, "/api/sites/suggestions?q=ex", "/healthz", "/readyz"]) {
      for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
        const [ours, theirs] = [
          await send(runtime, target, { method }),
          await send(proxying, target, { method }),
        ];
        expect([target, method, seen(theirs)]).toEqual([target, method, seen(ours)]);
        expect(theirs.headers.etag).toBe(ours.headers.etag);
      }
    }
    for (const target of ["/api/sites?limit=0", "/api/sites/suggestions"]) {
      expect(seen(await send(proxying, target))).toEqual(seen(await send(runtime, target)));
    }
    const tags = [await send(proxying, "/api/tags"), await send(nginx, "/api/tags")];
    expect(tags[0]?.headers).toMatchObject({ etag: tags[1]?.headers.etag });
  });

  it("a location that the operator adds to the server keeps its own headers", async () => {
    const { status, text, headers } = await send(nginx, "/own/x", { method: "POST" });
    expect([status, text, headers["content-type"]]).toEqual([200, "own", "text/plain"]);
    expect(HEADERS.slice(1).filter((name) => headers[name] !== undefined)).toEqual([]);
  });

  it("a request that nginx itself refuses gets the one error body, and no cache stores it", async () => {
    const refused: (readonly [number, string, Sent?])[] = [
      [412, "/api/tags", { headers: { "if-match": '"other"' } }],
      [414, `/api/tags?${"x".repeat(9_000)}`],
      [431, "/api/tags", { headers: { "x-long": "x".repeat(9_000) } }],
    ];
    for (const [status, target, sent] of refused) {
      const reply = await send(nginx, target, sent);
      expectError(reply, status);
      expect(reply.headers["cache-control"]).toBe("no-store");
    }
  });

  it("the same configuration serves the assets that pages of another version load", async () => {
    await writeFile(join(own.site, "assets/report-0badcafe.css"), "a{}");
    const { status, text, headers } = await send(nginx, "/assets/report-0badcafe.css");
    expect([status, text, headers["content-type"]]).toEqual([200, "a{}", STYLE.type]);
  });

  it("a link in the tree is not followed, and a lost document is a 502", async () => {
    await writeFile(join(own.folder, "secret.json"), "secret");
    await mkdir(join(own.site, "api/sites/nowhere.example"));
    const link = join(own.site, "api/sites/nowhere.example/report.json");
    await symlink(join(own.folder, "secret.json"), link);
    expectError(await send(nginx, site("nowhere.example")), 404);
    await rm(join(own.site, "api/sites/nowhere.example"), { recursive: true });
    await rename(join(own.site, "api/tags.json"), join(own.folder, "tags.json"));
    expectError(await send(nginx, "/api/tags"), 502);
    await rename(join(own.folder, "tags.json"), join(own.site, "api/tags.json"));
  });
});

describe("the printed configurations", () => {
  it("refuse a path that nginx would read differently", async () => {
    const { code, stdout, stderr } = await crawldex(["export", "--server", "/srv/$site"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("nginx reads a $ as a variable");
  });

  it("have the quoted whole path of the tree in the server block, which --json prints as one object", async () => {
    const { stdout } = await crawldex(["export", "--server", "it's a site", "--json"], "/");
    const { config } = JSON.parse(stdout) as { config: string };
    expect(config).toContain("root '/it\\'s a site';");
  });

  it("have the same locations for every tree, and only the server block names the tree", async () => {
    const printed = async (...more: string[]) => (await crawldex(["export", ...more])).stdout;
    const one = await printed("/srv/one", "--print-nginx");
    expect(one).toContain("location / {");
    expect(one).not.toMatch(/^\s*(?:server|listen|server_name|root)\b/m);
    expect(await printed("/srv/other", "--print-nginx")).toBe(one);
    expect(await printed("/srv/one", "--server")).not.toContain("location ");
  });

  it("do not accept a runtime's address without a host, or with more than an origin", async () => {
    for (const url of ["127.0.0.1:3000", "http://", "http://a/b", "http://a;", "http://$a"]) {
      const { code, stdout } = await crawldex(["export", "site", "--runtime", url]);
      expect([url, code, stdout]).toEqual([url, 2, ""]);
    }
    const both = await crawldex(["export", "site", "--runtime", "http://a", "--server"]);
    expect(both.code).toBe(2);
  });
});
