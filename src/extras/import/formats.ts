import { existsSync } from "node:fs";
import { locatedProblems } from "../../input/checking/positions.js";
import { didYouMean, quote } from "../../input/checking/problem.js";
import { a14y } from "./a14y/a14y.js";
import { afdocs } from "./afdocs/afdocs.js";
import { cloudflare } from "./cloudflare/cloudflare.js";
import { ImportUsageError } from "./columns.js";
import { textOf } from "./files.js";
import { lighthouse } from "./lighthouse/lighthouse.js";
import { mappedFormat, mappingIn } from "./mapping/mapping.js";
import { DocumentError, type ScannerFormat } from "./scanner.js";
import { parsedJson, TableSyntaxError } from "./table.js";

/** The scanners whose own files can be imported. */
export const FORMATS: readonly ScannerFormat[] = [lighthouse, afdocs, a14y, cloudflare];

/**
 * The format that `--from` names.
 * @param from the name of a scanner, or the path of a mapping
 * @throws ImportUsageError if it names neither; TableSyntaxError if it is no mapping
 */
export async function formatFrom(from: string): Promise<ScannerFormat> {
  const known = FORMATS.find(({ name }) => name === from);
  if (known !== undefined) return known;
  if (!existsSync(from)) {
    const names = FORMATS.map(({ name }) => name);
    const hint = didYouMean(from, names);
    throw new ImportUsageError(
      `--from: ${quote(from)} is neither a scanner (${names.join(", ")}) nor the file of a mapping${hint}`,
    );
  }
  const text = await textOf(from);
  try {
    return mappedFormat(mappingIn(parsedJson(text, 1)));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new TableSyntaxError(locatedProblems("", 1, text, error.findings));
  }
}
