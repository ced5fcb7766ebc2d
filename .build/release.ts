/**
 * Makes the files of a release in dist/release, and publishes nothing: the tarball, its SBOM (CycloneDX), the notes,
 * which are the version's part of the changelog, and server.json for the MCP registry. CONTRIBUTING.md says what comes
 * before and after.
 *
 *     npm run release                 the changelog must have a date for the version, and a tag in CI must name it
 *     npm run release -- --rehearse   the version may be unreleased
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverJson } from "./server-json.js";

const RELEASE = "dist/release";
/** Files that name the repository: its address is not known before it is public. */
const NAMING_OWNER = [
  "docs/deploying.md",
  "templates/cloudflare/README.md",
  "templates/github-pages/.github/workflows/pages.yml",
];
const isRehearsal = process.argv.includes("--rehearse");

const { devDependencies: _, scripts: __, ...shipped } = readPackage();
const { name, version } = shipped;
const notes = notesOf(readFileSync("CHANGELOG.md", "utf8"), version);
const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
if (GITHUB_REF_TYPE === "tag" && GITHUB_REF_NAME !== `v${version}`) {
  throw new Error(`the tag is ${GITHUB_REF_NAME}, and package.json has the version ${version}`);
}

const unfilled = isRehearsal
  ? []
  : NAMING_OWNER.filter((path) => readFileSync(path, "utf8").includes("OWNER/"));
if (unfilled.length > 0) {
  throw new Error(`${unfilled.join(", ")} must name the repository's owner in place of OWNER`);
}

// Packing empties dist.
const temporary = mkdtempSync(join(tmpdir(), "release-"));
const tarball = `${name}-${version}.tgz`;
npm(["pack", "--pack-destination", temporary]);
mkdirSync(RELEASE, { recursive: true });
copyFileSync(join(temporary, tarball), join(RELEASE, tarball));
const sbom = sbomOf(join(temporary, name));
rmSync(temporary, { recursive: true });
writeFileSync(join(RELEASE, `${name}-${version}.cdx.json`), sbom);
writeFileSync(join(RELEASE, "notes.md"), notes);
writeFileSync(join(RELEASE, "server.json"), `${JSON.stringify(serverJson(shipped), null, 2)}\n`);
npm(["publish", join(RELEASE, tarball), "--dry-run"]);
process.stdout.write(
  `${RELEASE} has ${tarball}, ${name}-${version}.cdx.json, notes.md and server.json\n`,
);

function readPackage(): {
  name: string;
  version: string;
  mcpName?: string;
  devDependencies: object;
  scripts: object;
} {
  return JSON.parse(readFileSync("package.json", "utf8"));
}

/**
 * The SBOM of the locked versions that the tests have run with. `--omit=dev` also leaves out packages that tools for
 * development need beside the program, so it is made from a package without those tools.
 * @param folder an empty one; npm names the SBOM by it
 */
function sbomOf(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify(shipped));
  copyFileSync("package-lock.json", join(folder, "package-lock.json"));
  npm(["install", "--package-lock-only", "--ignore-scripts", "--no-audit"], folder);
  const options = ["--sbom-format=cyclonedx", "--sbom-type=application"];
  return npm(["sbom", "--package-lock-only", ...options], folder);
}

/** The part of the changelog about a version. @throws if it has no date, except in a rehearsal */
function notesOf(changelog: string, wanted: string): string {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((each) => each.startsWith(`${wanted} (`));
  const [heading = "", ...lines] = (part ?? "").split("\n");
  const isDated = /^\S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading);
  if (part !== undefined && (isDated || isRehearsal)) return `${lines.join("\n").trim()}\n`;
  throw new Error(`CHANGELOG.md needs the heading "## ${wanted} (<year>-<month>-<day>)"`);
}

/** Runs npm. @returns what it prints @throws with its messages if it fails */
function npm(args: readonly string[], cwd = "."): string {
  return execFileSync("npm", args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
}
