import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorBody } from "../../src/contract/error-body.js";
import { fileOf } from "../../src/pages/kit/page-names.js";
import { type Reply, type Sent, send } from "../runtime/http.js";
import { seen } from "../site/compared.js";
import { API_ADDRESSES, ENCODED, ERRORS, PAGES, READS } from "../site/targets.js";
import { aDirectory, type Directory } from "./directory.js";
import { needed, placed, RULED_HOSTS, type Started, startHost } from "./hosts.js";
import { treeFor } from "./trees.js";

/* Each host with the rules of its export, beside the runtime. */

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** Paths that servers resolve or refuse by themselves, before any rules. */
const ODD = /^[^?]*(?:%|#|\/\/|\/\.{1,2}(?:[/?]|$))/i;
const asked = (...lists: (readonly string[])[]) =>
  [...new Set(lists.flat())].filter((address) => !ODD.test(address));
const FOUND = asked(READS, PAGES);
const LOST = asked(ERRORS);

let directory: Directory;
beforeAll(async () => {
  directory = await aDirectory();
});
afterAll(() => directory.close());

/** What must agree with the runtime. Ranges, and the order of what varies, are each server's own. */
function compared(reply: Reply) {
  const { status, text, headers } = seen(reply);
  const values = headers.map(([name, value]) => {
    if (name === "vary" && value !== undefined) {
      return [name, [...new Set(String(value).split(/, */))].sort().join(", ")];
    }
    return [name, value];
  });
  return { status, text, headers: values.filter(([name]) => name !== "accept-ranges") };
}

const REWRITES = ["nginx", "caddy", "apache"];
const BELOW = "/directory/";

describe.each(RULED_HOSTS.filter((one) => REWRITES.includes(one.for)))("$name", (host) => {
  it("answers below a path as the runtime does", async (context) => {
    const below = await aDirectory(BELOW);
    directory.finally(() => below.close());
    const tree = await treeFor(host.for, below.site.store, below.site.folder);
    const started = await startHost(host, await placed(tree, BELOW));
    if (!("missing" in started)) below.finally(started.stop);
    const server = needed(context, started);
    for (const target of asked(FOUND, LOST)) {
      for (const accept of ["*/*", BROWSER]) {
        const sent: Sent = { headers: { accept } };
        const ours = compared(await send(below.runtime, target, sent));
        const theirs = compared(await send(server, BELOW + target.slice(1), sent));
        expect([target, accept, theirs]).toEqual([target, accept, ours]);
      }
    }
  });
});

describe.each(RULED_HOSTS.filter((one) => REWRITES.includes(one.for)))("$name", (host) => {
  let started: Started | undefined;
  beforeAll(async () => {
    const tree = await treeFor(host.for, directory.site.store, directory.site.folder);
    started = await startHost(host, await placed(tree, "/"));
    if (!("missing" in started)) directory.finally(started.stop);
  });

  async function expectSame(target: string, sent: Sent, server: Parameters<typeof send>[0]) {
    const ours = await send(directory.runtime, target, sent);
    const theirs = await send(server, target, sent);
    expect([sent, compared(theirs)]).toEqual([sent, compared(ours)]);
  }

  for (const target of asked(FOUND, LOST, API_ADDRESSES)) {
    it(`${target} is the same to programs, browsers and readers of Markdown`, async (context) => {
      const server = needed(context, started);
      for (const accept of ["*/*", BROWSER, "text/markdown"]) {
        await expectSame(target, { headers: { accept } }, server);
      }
      for (const method of ["HEAD", "OPTIONS", "POST"]) {
        await expectSame(target, { method }, server);
      }
    });
  }

  it("percent-encoded addresses are the same", async (context) => {
    for (const target of ENCODED) await expectSame(target, {}, needed(context, started));
  });

  it("the explorer is the file, with the headers of the runtime's", async (context) => {
    const server = needed(context, started);
    for (const target of ["/", "/?q=a"]) {
      const ours = compared(await send(directory.runtime, target));
      const theirs = compared(await send(server, target));
      expect([theirs.status, theirs.headers]).toEqual([200, ours.headers]);
      expect(theirs.text).toMatch(/^<!doctype html>/);
    }
  });

  it("a conditional read is a 304", async (context) => {
    const server = needed(context, started);
    const { headers } = await send(server, "/api/standards");
    const same = await send(server, "/api/standards", {
      headers: { "if-none-match": String(headers.etag) },
    });
    expect([same.status, same.text]).toEqual([304, ""]);
    expect(same.headers["access-control-allow-origin"]).toBe("*");
  });

  it("public documents have the names of their files, too", async (context) => {
    const server = needed(context, started);
    for (const name of ["standards", "categories", "tags"]) {
      const [file, answer] = [`/api/${name}.json`, `/api/${name}`];
      expect([name, compared(await send(server, file))]).toEqual([
        name,
        compared(await send(server, answer)),
      ]);
    }
  });

  it("what scripts search in is cached for ever, but for the file that names the snapshot", async (context) => {
    const server = needed(context, started);
    const current = await send(server, "/data/current.json");
    const { id } = JSON.parse(current.text) as { id: string };
    const manifest = await send(server, `/data/${id}/manifest.json`);
    expect([current, manifest].map((reply) => reply.headers["cache-control"])).toEqual([
      "no-cache",
      "public, max-age=31536000, immutable",
    ]);
  });
});

describe.each(RULED_HOSTS.filter((one) => !REWRITES.includes(one.for)))("$name", (host) => {
  let started: Started | undefined;
  let tree = "";
  beforeAll(async () => {
    tree = await treeFor(host.for, directory.site.store, directory.site.folder);
    started = await startHost(host, await placed(tree, "/"));
    if (!("missing" in started)) directory.finally(started.stop);
  });

  /** Cloudflare's rules see no query: its pages link older reports by the names of their files. */
  const isSelected = (target: string) => host.for === "cloudflare" && target.includes("scan=");
  const SAME = ["access-control-allow-origin", "x-content-type-options", "cache-control"];

  for (const target of FOUND.filter((one) => !isSelected(one))) {
    it(`${target} is its file, with the type and the headers of the runtime`, async (context) => {
      const headers = { accept: BROWSER };
      const theirs = await send(needed(context, started), target, { headers });
      const ours = await send(directory.runtime, target, { headers });
      const file = fileOf(target.slice(1))?.split("?")[0] ?? "";
      expect([theirs.status, theirs.text]).toEqual([200, await readFile(join(tree, file), "utf8")]);
      const type = (reply: Reply) => reply.headers["content-type"]?.split(";")[0];
      // Netlify has no rule for a part of a segment, and sends the feeds of categories with the types of their endings.
      const isPlain = host.for === "netlify" && target.startsWith("/feeds/");
      expect(type(theirs)).toBe(isPlain ? `application/${target.split(".").at(-1)}` : type(ours));
      for (const name of SAME) {
        expect([name, theirs.headers[name]]).toEqual([name, ours.headers[name]]);
      }
    });
  }

  for (const target of LOST.filter((one) => !isSelected(one))) {
    it(`${target} is an error, unless it names a file`, async (context) => {
      const theirs = await send(needed(context, started), target);
      const path = target.replace(/[/]?(?:\?.*)?$/, "").replace(/\/index\.html$/, "");
      const answer = fileOf(path.slice(1)) ?? "";
      const named = [path, `${path}.html`, `/${answer}`];
      const isFile = named.some((one) => one !== "" && existsSync(join(tree, one)));
      const allowed = isFile || target === "/index.html" ? [200, 307, 404] : [400, 404];
      expect(allowed).toContain(theirs.status);
      // An object that a bucket lacks, and a file that Netlify lacks, become the page 404.html.
      const isJson = host.for === "cloudflare" || (host.for === "s3" && theirs.status === 400);
      const isRefused = theirs.status >= 400 && target.startsWith("/api/");
      if (isJson && isRefused) ErrorBody.parse(JSON.parse(theirs.text));
    });
  }
});
