import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../src/contract/routes.js";
import { EXTRAS } from "../../src/extras/index.js";
import { build, writeSample } from "../../src/index.js";
import { ProjectCopy } from "./project.js";

/*
 * All extras are deleted from a copy of the project, then each alone. The documents describe the whole program, and who
 * deletes an extra goes through them: their tests are left out. `EXTRAS_RUN=ci`: all, and one that is another each day;
 * of the tests of the core those of a few rooms.
 */

const isShort = process.env.EXTRAS_RUN === "ci";
const DAY = Math.floor(Date.now() / 86_400_000);
const NAMES = EXTRAS.map(({ name }) => name);
const ALONE = isShort ? NAMES.filter((_, at) => at === DAY % NAMES.length) : NAMES;
const DELETED = [
  { what: "any extra", names: NAMES },
  ...ALONE.map((name) => ({ what: name, names: deletedWith(name) })),
];
/** What is run of the core's tests. */
const ROOMS = isShort
  ? ["test/answer", "test/export", "test/house"]
  : ["--exclude", "test/docs/**"];

/** A store that the whole program has built. */
const store = mkdtempSync(join(tmpdir(), "crawldex-with-"));

beforeAll(async () => {
  const published = mkdtempSync(join(tmpdir(), "crawldex-published-"));
  await writeSample(published);
  await build(published, { store });
  rmSync(published, { recursive: true });
});
afterAll(() => rmSync(store, { recursive: true, force: true }));

/** The names of an extra and of those that need it. */
function deletedWith(name: string): string[] {
  const needing = EXTRAS.filter(({ needs = [] }) => needs.includes(name));
  return [name, ...needing.flatMap((one) => deletedWith(one.name))];
}

describe.each(DELETED)("without $what", ({ names }) => {
  const copy = new ProjectCopy();
  const reads = EXTRAS.filter(({ name }) => names.includes(name)).flatMap((extra) =>
    Object.values(extra.reads ?? {}),
  );
  beforeAll(async () => {
    for (const name of new Set(names)) copy.delete(name);
    expect(await copy.script("format", "--", "src/extras/index.ts")).toBe("");
  });
  afterAll(() => copy.remove());

  it("the program has its types, and can be compiled", async () => {
    expect(await copy.script("types")).toBe("");
    expect(await copy.script("build")).toBe("");
  });

  it("the tests of the core pass", async () => {
    expect(await copy.script("lint")).toBe("");
    expect(await copy.script("test:quick", "--", ...ROOMS)).toBe("");
  });

  it("serves a snapshot that was built with it: the nine reads are equal, its own are a 404", async () => {
    expect(await copy.command("verify", store)).toBe("");
    const [whole, less] = await Promise.all([serve(), serve(copy.folder)]);
    try {
      const host = whole.host;
      for (const { path } of Object.values(ROUTES)) {
        const target = path.replace("{host}", host) + (path.endsWith("suggestions") ? "?q=an" : "");
        const [is, was] = await Promise.all([less, whole].map(({ url }) => seen(url + target)));
        expect(is).toEqual(was);
        expect(is?.status).toBe(200);
      }
      for (const { example } of reads) {
        const [is, was] = await Promise.all([less, whole].map(({ url }) => seen(url + example)));
        expect(is?.status).toBe(404);
        // A read may have nothing here, such as proofs without a signature, but it says so itself.
        expect(was?.text).not.toBe(is?.text);
      }
    } finally {
      for (const { process } of [whole, less]) process.kill("SIGTERM");
      await Promise.all([whole, less].map(({ process }) => once(process, "exit")));
    }
  });
});

/** Starts a server of the store, of this project or of a copy. */
async function serve(folder = "."): Promise<{ url: string; host: string; process: ChildProcess }> {
  const args = [join(folder, "dist/cli/index.js"), "serve", store, "--port", "0", "--json"];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout, "data");
  const { url }: { url: string } = JSON.parse(String(line));
  const [, host = ""] =
    /"host":"([^"]+)"/.exec((await seen(`${url}/api/sites?limit=1`)).text) ?? [];
  return { url, host, process: server };
}

async function seen(address: string) {
  const { status, headers, text } = await fetch(address).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  return { status, tag: headers.get("etag"), text };
}
