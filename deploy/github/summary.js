/**
 * The last step of the action: writes what crawldex validate, build and export have printed with --json into the
 * summary of the job, and the outputs of the action. Steps that did not run have left no file.
 *
 *     node summary.js <folder with validate.json, build.json and export.json>
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = ""] = process.argv.slice(2);

/** The object that a command has printed; null if it did not run. */
function resultOf(command) {
  try {
    return JSON.parse(readFileSync(join(folder, `${command}.json`), "utf8"));
  } catch {
    return null;
  }
}

const validated = resultOf("validate");
const built = resultOf("build");
const exported = resultOf("export");

/** Safe in a cell of a table and in HTML. */
function cell(value) {
  return String(value)
    .replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/[|`\\*_[\]]/g, "\\$&")
    .replace(/\s+/g, " ");
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => "---"), ...rows.map((row) => row.map(cell))];
  return lines.map((line) => `| ${line.join(" | ")} |\n`).join("");
}

/** How many problems there are of each kind and code, the most frequent first. */
function problemRows({ problems = [], warnings = [] }) {
  const rows = Object.entries({ error: problems, warning: warnings }).flatMap(([kind, found]) => {
    const codes = [...new Set(found.map(({ code }) => code))];
    return codes.map((code) => {
      const same = found.filter((problem) => problem.code === code);
      const [{ file, line, path, message }] = same;
      return [kind, code, same.length, `${file}:${line} ${path} ${message}`];
    });
  });
  return rows.sort((a, b) => a[0].localeCompare(b[0], "en") || b[2] - a[2]);
}

const counts = [];
if (validated !== null) {
  if (validated.ok)
    counts.push(["listings read", validated.listings], ["scans read", validated.scans]);
  counts.push(["errors", validated.problemCount ?? 0], ["warnings", validated.warningCount ?? 0]);
}
if (built?.ok) {
  const { changes } = built;
  counts.push(["reports", built.counts.reports], ["listings in search", built.counts.searchable]);
  if (changes !== null) {
    counts.push(["added", changes.added], ["changed", changes.changed], ["gone", changes.gone]);
  }
}
if (exported?.ok) {
  counts.push(["files written", exported.written], ["files deleted", exported.deleted]);
  counts.push(["files unchanged", exported.unchanged]);
}

const failed = [validated, built, exported].find((result) => result?.ok === false);
const isDone = exported?.ok === true;
const parts = [
  isDone ? `## Published: snapshot ${built.id}\n` : "## Nothing was published\n",
  ...(failed ? [`${cell(failed.error)}\n`] : []),
  ...(counts.length > 0 ? [table(["what", "count"], counts)] : []),
];
const rows = problemRows(validated ?? {});
if (rows.length > 0) parts.push(table(["problem", "code", "count", "the first one"], rows));

appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${parts.join("\n")}\n`);
if (isDone) {
  const outputs = `snapshot=${built.id}\nlistings=${built.counts.searchable}\n`;
  appendFileSync(process.env.GITHUB_OUTPUT, outputs);
}
