import { execFile } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../house/sources.js";
import { copyProject, installedClone, Machine } from "./machine.js";

const run = promisify(execFile);
const { name, version, dependencies } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);

it("a release has the tarball, an SBOM of what it installs, and notes, and npm would publish it", async () => {
  const { clone } = await installedClone();
  const rehearsal = ["run", "release", "--", "--rehearse"];
  const { stdout, stderr } = await run("npm", rehearsal, { cwd: clone, maxBuffer: 2 ** 26 });
  expect(stdout).toContain(`dist/release has ${name}-${version}.tgz`);
  expect(stderr).toContain("(dry-run)");
  const release = join(clone, "dist/release");
  expect(existsSync(join(release, `${name}-${version}.tgz`))).toBe(true);
  const sbom = JSON.parse(readFileSync(join(release, `${name}-${version}.cdx.json`), "utf8"));
  expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name } } });
  const components: { name: string; purl: string; hashes: object[]; licenses: object[] }[] =
    sbom.components;
  const named = components.map((component) => component.name);
  expect(named).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(named).toContain("micromatch");
  expect(named).not.toContain("vitest");
  expect(components.filter(({ hashes }) => (hashes ?? []).length === 0)).toEqual([]);
  const entry = JSON.parse(readFileSync(join(release, "server.json"), "utf8"));
  expect(entry).toMatchObject({ version, packages: [{ identifier: name, version }] });
  const notes = readFileSync(join(release, "notes.md"), "utf8");
  expect(notes).toMatch(/^The first version\.\n\n- \*\*Build\.\*\*/);
  expect(notes).not.toContain("\n## ");
});

it("a release needs a date in the changelog, the tag of its version, and its repository's owner", async () => {
  const { root } = new Machine();
  copyProject(root);
  const release = (env: NodeJS.ProcessEnv) =>
    run(join(ROOT, "node_modules/.bin/tsx"), [join(ROOT, ".build/release.ts")], {
      cwd: root,
      env: { ...process.env, ...env },
    });
  writeFileSync(join(root, "CHANGELOG.md"), `# Changelog\n\n## ${version} (unreleased)\n\n- x\n`);
  await expect(release({})).rejects.toThrow(`CHANGELOG.md needs the heading "## ${version} (`);
  writeFileSync(join(root, "CHANGELOG.md"), `# Changelog\n\n## ${version} (2027-01-02)\n\n- x\n`);
  const tag = { GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v9.9.9" };
  await expect(release(tag)).rejects.toThrow(`the tag is v9.9.9, and package.json has`);
  cpSync(join(ROOT, "templates"), join(root, "templates"), { recursive: true });
  await expect(release({})).rejects.toThrow("must name the repository's owner in place of OWNER");
});

it("the workflow publishes only what its first job has checked and made", () => {
  const { on, jobs } = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8"));
  expect(on).toEqual({ push: { tags: ["v*"] } });
  const steps = (job: string): string[] =>
    jobs[job].steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(steps("check")).toEqual(["npm ci", "npm test", "npm run release"]);
  expect([jobs.package.needs, jobs.image.needs]).toEqual(["check", "check"]);
  const [npm, stage, release] = steps("package");
  expect(npm).toBe("npm install --global npm@^11.15.0");
  expect(stage).toMatch(/^npm stage publish .* --provenance /);
  // Nothing is public until a maintainer approves it.
  expect(release).toContain(" --draft ");
  expect(jobs.package.permissions["id-token"]).toBe("write");
  const { with: image } = jobs.image.steps.at(-1);
  expect(image).toMatchObject({ file: "deploy/Dockerfile", provenance: "mode=max", sbom: true });
});
