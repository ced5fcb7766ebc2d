import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../src/replica/serve.js";
import type { RunningServer } from "../../src/runtime/http/server.js";
import { fileOf } from "../../src/site/addresses.js";
import { SCRIPT_POLICY } from "../../src/site/hosts/address-files.js";
import { type Reply, type Sent, send } from "../runtime/http.js";
import { seen } from "../site/compared.js";
import { aSite, type Site, variedListings } from "../site/sites.js";
import { API_ADDRESSES, ENCODED, ERRORS, PAGES, READS } from "../site/targets.js";
import { needed, RULED_HOSTS, type Started, startHost } from "./hosts.js";
import { treeFor } from "./trees.js";

/* Each host with the rules of its export, compared with the runtime. */

const cleanUps: (() => Promise<void>)[] = [];
let own: Site;
let runtime: RunningServer;

beforeAll(async () => {
  const finished = (cleanUp: () => Promise<void>) => cleanUps.unshift(cleanUp);
  own = await aSite(variedListings(), 1, finished);
  runtime = await serve(own.store, { port: 0, host: "127.0.0.1", log: () => {} });
  finished(() => runtime.close());
});
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** Paths that servers resolve or refuse by themselves, before any rules. */
const ODD = /^[^?]*(?:%2f|%0a|%5c|#|\/\/|\/(?:\.|%2e){1,2}(?:[/?]|$))/i;
/** The name of no file, below a folder whose names a host does not check. */
const NO_NAME = /^\/(?:sitemaps\/|assets\/)(?:\d?$|report\.css)/;
const ADDRESSES = [...new Set([...READS, ...ENCODED, ...PAGES, ...ERRORS, ...API_ADDRESSES])];
const COMPARED = ADDRESSES.filter((address) => !ODD.test(address));

/** What must agree: ranges, and the order of what varies, are each server's own. */
function compared(target: string, reply: Reply) {
  const { status, text, headers } = seen(reply);
  const values = headers.filter(([name]) => name !== "accept-ranges").map(([name, value]) => {
    if (name === "vary" && value !== undefined) {
      return [name, [...new Set(String(value).split(/, */))].sort().join(", ")];
    }
    const isPolicy = name === "content-security-policy" && target.startsWith("/assets/");
    return [name, isPolicy && status === 200 ? SCRIPT_POLICY : value];
  });
  return { status, text, headers: values };
}

const trees = new Map<string, string>();

describe.each(RULED_HOSTS)("$name", (host) => {
  let started: Started | undefined;
  beforeAll(async () => {
    const tree = await treeFor(host.for, own.store, own.folder);
    trees.set(host.name, tree);
    started = await startHost(host, tree, "/");
    if (!("missing" in started)) cleanUps.unshift(started.stop);
  });

  if (["nginx", "caddy", "apache"].includes(host.for)) {
    const both = async (target: string, sent: Sent, server: Started | undefined) => {
      if (server === undefined || "missing" in server) throw new Error("no server");
      const [ours, theirs] = [await send(runtime, target, sent), await send(server, target, sent)];
      return [compared(target, theirs), compared(target, ours)];
    };

    it.each(COMPARED.filter((target) => target !== "/"))(
      "%s is the same to programs, browsers and readers of Markdown",
      async (target, ...rest) => {
        void rest;
        for (const accept of ["*/*", BROWSER, "text/markdown"]) {
          const [theirs, ours] = await both(target, { headers: { accept } }, started);
          expect([accept, theirs]).toEqual([accept, ours]);
        }
      },
    );

    it.each(COMPARED.filter((target) => !NO_NAME.test(target)))(
      "%s answers HEAD, OPTIONS and POST alike",
      async (target) => {
        for (const method of ["HEAD", "OPTIONS", "POST"]) {
          const [theirs, ours] = await both(target, { method }, started);
          expect([method, theirs]).toEqual([method, ours]);
        }
      },
    );
  } else {
    const isSeen = (target: string) =>
      host.for !== "cloudflare" || !/[?&]scan=/.test(target);
    const found = [...READS, ...PAGES].filter(isSeen);

    it.each(found)("%s has its file, type and headers", async (target, ) => {
      const server = started;
      if (server === undefined || "missing" in server) throw new Error("no server");
      const headers = { accept: BROWSER };
      const [ours, theirs] = [
        await send(runtime, target, { headers }),
        await send(server, target, { headers }),
      ];
      const file = fileOf(decodeURIComponent(target.slice(1)));
      const body = await readFile(join(trees.get(host.name) ?? "", file?.split("?")[0] ?? ""));
      expect([theirs.status, theirs.text]).toEqual([200, body.toString("utf8")]);
      const names = ["access-control-allow-origin", "x-content-type-options", "cache-control"];
      for (const name of names) expect([name, theirs.headers[name]]).toEqual([name, ours.headers[name]]);
      const types = [ours, theirs].map((reply) => String(reply.headers["content-type"]).toLowerCase());
      expect(types[1]?.split(";")[0]).toBe(types[0]?.split(";")[0]);
    });

    it.each(ERRORS.filter((target) => !ODD.test(target)))("%s is an error, or its page", async (target) => {
      const server = started;
      if (server === undefined || "missing" in server) throw new Error("no server");
      const [ours, theirs] = [await send(runtime, target), await send(server, target)];
      process.stdout.write(`ERR ${host.name} ${target} ${ours.status} ${theirs.status} ${theirs.headers["content-type"]} ${theirs.headers.location ?? ""}\n`);
    });
  }
  it("was started", (context) => void needed(context, started));
});
