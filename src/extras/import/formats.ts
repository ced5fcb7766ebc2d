import { existsSync } from "node:fs";
import { basename } from "node:path";
import { parseJsonText } from "../../input/checking/json.js";
import { locatedProblems } from "../../input/checking/positions.js";
import { didYouMean, type ProblemList, quote } from "../../input/checking/problem.js";
import { a14y } from "./a14y/a14y.js";
import { afdocs } from "./afdocs/afdocs.js";
import { cloudflare } from "./cloudflare/cloudflare.js";
import { ImportUsageError } from "./columns.js";
import { textOf } from "./files.js";
import { lighthouse } from "./lighthouse/lighthouse.js";
import { mappedFormat, mappingIn } from "./mapping/mapping.js";
import { DocumentError, type ScannerFormat } from "./scanner-run.js";

/** The scanners whose own files can be imported. */
export const FORMATS: readonly ScannerFormat[] = [lighthouse, afdocs, a14y, cloudflare];

/**
 * The format that `--from` names.
 * @param from the name of a scanner, or the path of a mapping
 * @param problems receives what is wrong with the mapping
 * @returns null if there are problems
 * @throws ImportUsageError if it names neither; TableSyntaxError if the mapping cannot be read
 */
export async function formatFrom(
  from: string,
  problems: ProblemList,
): Promise<ScannerFormat | null> {
  const known = FORMATS.find(({ name }) => name === from);
  if (known !== undefined) return known;
  if (!existsSync(from)) {
    const names = FORMATS.map(({ name }) => name);
    const hint = didYouMean(from, names);
    throw new ImportUsageError(
      `--from: ${quote(from)} is neither a scanner (${names.join(", ")}) nor the file of a mapping${hint}`,
    );
  }
  const text = await textOf(from, undefined);
  const json = parseJsonText(text);
  try {
    if ("finding" in json) throw new DocumentError([json.finding]);
    return mappedFormat(mappingIn(json.value));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    problems.add(locatedProblems(basename(from), 1, text, error.findings));
    return null;
  }
}
