import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { COMMAND } from "../../cli/spawned.js";
import { ROOT } from "../../house/sources.js";
import { runAction } from "../../install/action.js";
import { Machine } from "../../install/machine.js";

const BASE_URL = "https://somebody.github.io/gardens";

/** A repository made from the template, on a machine with the command of the compiled sources. */
async function repository() {
  const machine = new Machine();
  machine.stub("npm", "exit 0");
  machine.stub("crawldex", `exec '${process.execPath}' '${COMMAND}' "$@"`);
  const folder = machine.folder("clone");
  await cp(join(ROOT, "templates/github-pages"), folder, { recursive: true });
  const workflow = parse(await readFile(join(folder, ".github/workflows/pages.yml"), "utf8"));
  const steps: { uses: string; with: Record<string, string> }[] = workflow.jobs.pages.steps;
  const [action] = steps.filter(({ uses }) => uses.includes("/crawldex@"));
  const given = { ...action?.with, "base-url": BASE_URL };
  const run = (inputs: Record<string, string>) =>
    runAction(machine, folder, { ...given, ...inputs });
  const report = async (host: string) => {
    const file = join(folder, "site/api/sites", host, "report.json");
    return JSON.parse(await readFile(file, "utf8")).data;
  };
  return { folder, workflow, steps, run, report };
}

it("the template for GitHub Pages makes a site of its tables, up to the upload", async () => {
  const { folder, workflow, steps, run, report } = await repository();
  const { failure, summary, uploads } = await run({});
  expect(failure).toBeNull();
  expect(summary).toContain("| listings in search | 3 |");
  expect(uploads).toEqual(["actions/upload-pages-artifact@v3 site"]);
  expect(steps.at(-1)?.uses).toMatch(/^actions\/deploy-pages@/);
  expect(workflow.permissions).toEqual({ contents: "read", pages: "write", "id-token": "write" });
  expect((await report("peas.example")).scan.score).toBe(100);
  expect((await report("roses.example")).scan.score).toBeNull();
  expect(await readFile(join(folder, "site/robots.txt"), "utf8")).toContain(`${BASE_URL}/sitemap`);
  expect(await readdir(join(folder, "site"))).toEqual(
    expect.arrayContaining([".nojekyll", ".well-known", "404.html", "index.html"]),
  );
  // The next run imports the tables again, into a fresh clone with the store of the last run.
  for (const name of ["published", "site", "site.crawldex.json"]) {
    await rm(join(folder, name), { recursive: true });
  }
  const fresh = join(ROOT, "templates/github-pages/published");
  await cp(fresh, join(folder, "published"), { recursive: true });
  const again = await run({});
  expect([again.failure, again.outputs]).toEqual([null, expect.stringContaining("listings=3\n")]);
  expect(again.summary).toContain("| changed | 0 |");
});

it("the template for GitHub Pages makes a site of a scanner's files, as its README says", async () => {
  const { folder, run, report } = await repository();
  const readme = await readFile(join(folder, "README.md"), "utf8");
  const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  await rm(join(folder, "data"), { recursive: true });
  const file = join(ROOT, "test/extras/import/lighthouse.json");
  await cp(file, join(folder, "data/run-1.json"));
  const { failure, printed } = await run(parse(block));
  expect(failure).toBeNull();
  expect(printed).not.toContain("::warning");
  const [host = ""] = await readdir(join(folder, "site/api/sites"));
  const { scan, checks } = await report(host);
  expect(scan.id).toMatch(/^lighthouse-/);
  expect(checks.length).toBeGreaterThan(2);
});
