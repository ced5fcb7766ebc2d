import { cp, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { COMMAND } from "../cli/spawned.js";
import { type PublishedFiles, writePublished } from "../fixtures.js";
import { ROOT } from "../house/sources.js";
import { Machine } from "../install/machine.js";
import { manyListings, treeOf } from "../store/trees.js";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: { readonly path?: string };
}

/** The folders that the workflow's cache keeps between two runs. */
const cachedIn = (steps: readonly Step[]) =>
  steps
    .filter(({ uses }) => uses?.startsWith("actions/cache@"))
    .flatMap((step) => step.with?.path?.trim().split("\n") ?? []);

/** A machine of the workflow: a fresh clone of a published directory. */
async function cloned(files: PublishedFiles) {
  const machine = new Machine();
  // Steps install the package and then run its command: here, the command of the compiled sources.
  machine.stub("npm", "exit 0");
  machine.stub("crawldex", `exec '${process.execPath}' '${COMMAND}' "$@"`);
  const folder = machine.folder("clone");
  await writePublished(join(folder, "published"), files);
  /** Runs the steps in their order, as the runner's shell does. @returns what they print */
  const runSteps = async (steps: readonly Step[]) => {
    const printed: string[] = [];
    for (const { run: script } of steps) {
      if (script === undefined) continue;
      printed.push(await machine.run(script, folder, { GITHUB_ACTIONS: "true" }));
    }
    return printed.join("");
  };
  return { folder, runSteps };
}

/** What names the publication, or tells of earlier ones. */
const OF_PUBLICATIONS =
  /^(?:changed|charts|data|changes)\/|^(?:changes|trends)\.html$|^sites\/[^/]+\/feed\.|^index\.html$|^feeds\/search\.|^api\/trends\.json$|^api\/dump\/(?:index|croissant)\.json$/;

/** The files of an exported site that do not depend on earlier builds. */
async function pagesOf(site: string): Promise<Record<string, string>> {
  const files = Object.entries(await treeOf(site)).filter(([file]) => !OF_PUBLICATIONS.test(file));
  expect(files.length).toBeGreaterThan(300);
  return Object.fromEntries(files);
}

async function contentOf(site: string): Promise<string> {
  const { id } = JSON.parse(await readFile(join(site, "data/current.json"), "utf8"));
  const manifest = await readFile(join(site, "data", id, "manifest.json"), "utf8");
  return JSON.parse(manifest).content;
}

it(
  "the workflow for GitHub Pages builds and exports in a fresh clone, and with the restored store " +
    "only what changed",
  async () => {
    const text = await readFile(join(ROOT, "deploy/github/pages.yml"), "utf8");
    const { steps }: { readonly steps: readonly Step[] } = parse(text).jobs.pages;
    const uploaded = steps.find(({ uses }) => uses?.startsWith("actions/upload-pages-artifact@"));
    const first = await cloned(manyListings(300));
    expect(await first.runSteps(steps)).toMatch(/0 of 4 segments kept from the last build/);
    const cached = cachedIn(steps);
    expect(cached).toEqual(["snapshots"]);

    const { listings, ...rest } = manyListings(300);
    const renamed = listings.map((one, place) => (place === 7 ? { ...one, name: "Renamed" } : one));
    const second = await cloned({ ...rest, listings: renamed });
    for (const path of cached) {
      await cp(join(first.folder, path), join(second.folder, path), { recursive: true });
    }
    await rm(first.folder, { recursive: true });
    expect(await second.runSteps(steps)).toMatch(/3 of 5 segments kept from the last build/);

    // The same site as on a machine without a cache; only the segments of its data depend on earlier builds.
    const third = await cloned({ ...rest, listings: renamed });
    await third.runSteps(steps);
    const site = uploaded?.with?.path ?? "";
    const cachedSite = join(second.folder, site);
    const freshSite = join(third.folder, site);
    expect(await pagesOf(cachedSite)).toEqual(await pagesOf(freshSite));
    expect(await contentOf(cachedSite)).toBe(await contentOf(freshSite));
    expect((await stat(join(second.folder, site, "index.html"))).isFile()).toBe(true);
    expect(await readdir(join(second.folder, site, ".well-known"))).toContain("api-catalog");
  },
);
