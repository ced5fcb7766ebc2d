import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Figures } from "../contract/figures.js";
import { isWithin } from "../files/paths.js";
import { locatedProblems } from "./checking/positions.js";
import { type Finding, type Findings, quote } from "./checking/problem.js";
import { checkRecord, type RecordChecks } from "./checking/record.js";
import {
  directoryNotices,
  standardsRules,
  taxonomyNotices,
  taxonomyRules,
  templateNotices,
} from "./checking/rules.js";
import {
  completeStandards,
  DirectoryRecord,
  StandardsRecord,
  Taxonomy,
} from "./checking/schemas.js";
import type { Input } from "./input.js";
import { type DOCUMENTS, FileError, fileError, wholeFile } from "./locating/files.js";
import { readWhole, tooLong } from "./locating/locate.js";

/** Whether anything is at this path, even a link that leads nowhere. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Reads the three single documents. A bad document is null. */
export function readDocuments(root: string, findings: Findings) {
  const read = <T>(name: (typeof DOCUMENTS)[number], checks: RecordChecks<T>) =>
    readDocument(root, name, checks, findings);
  const none = () => [];
  const standards = read("standards.json", {
    schema: StandardsRecord,
    rules: standardsRules,
    notices: templateNotices("standards.json"),
  });
  return {
    directory: read("directory.json", {
      schema: DirectoryRecord,
      rules: none,
      notices: (record) => [
        ...directoryNotices(record),
        ...templateNotices("directory.json")(record),
      ],
    }),
    standards: standards && completeStandards(standards),
    taxonomy: read("taxonomy.json", {
      schema: Taxonomy,
      rules: taxonomyRules,
      notices: taxonomyNotices,
    }),
  };
}

/** Warns once for each other version that has scores without a band, at the rubric's version. */
export function warnOfUnbanded(
  folder: string,
  { standards, findings: { warnings } }: Input,
  { all, otherVersions = {} }: Figures,
): void {
  const others = Object.entries(otherVersions);
  const total = others.reduce((sum, [, { scored }]) => sum + scored, all.scored);
  const findings = others
    .filter(([, { unbanded }]) => unbanded > 0)
    .map(([other, { unbanded }]): Finding => {
      const found = other === "" ? "no scoreVersion" : `scoreVersion ${quote(other)}`;
      const message =
        `${unbanded} of ${total} published scores have ${found}, the rubric is ${quote(standards?.rubric.version ?? "")}: ` +
        "they have no band; rescan these sites, or give their scans the band that they had";
      return { path: ["rubric", "version"], message };
    });
  if (standards === null || findings.length === 0) return;
  const { bytes } = readWhole(pathInside(realpathSync(folder), "standards.json"));
  warnings.add(locatedProblems("standards.json", 1, String(bytes), findings));
}

/** Reads one of the three single documents; null if it is bad. */
function readDocument<T>(
  root: string,
  name: string,
  checks: RecordChecks<T>,
  { problems, warnings }: Findings,
): T | null {
  try {
    const { bytes, length } = readWhole(pathInside(root, name));
    if (bytes === null) throw new FileError(tooLong(length));
    const checked = checkRecord(checks, { file: name, line: 1, bytes });
    problems.add(checked.problems);
    warnings.add(locatedProblems(name, 1, bytes.toString(), checked.notices));
    return checked.value;
  } catch (error) {
    problems.add([wholeFile(name, fileError(error).message)]);
    return null;
  }
}

function pathInside(root: string, name: string): string {
  const path = join(root, name);
  if (!isThere(path)) {
    throw new FileError(
      "is missing, expected directory.json, standards.json and taxonomy.json in the folder",
    );
  }
  const real = realpathSync(path);
  if (!isWithin(root, real)) {
    throw new FileError("is a link that leads out of the published folder");
  }
  return real;
}
