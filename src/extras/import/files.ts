import { statSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { hasCode, messageOf } from "../../files/errors.js";
import { IrregularFileError, readRegular } from "../../files/regular.js";
import { encodingFinding } from "../../input/checking/json.js";
import { fileError } from "../../input/locating/files.js";
import { FILE_BYTES_MAX, refuse } from "./table.js";

/** How the bytes of files begin that are no text, and what to do with them. */
const NO_TEXTS: readonly (readonly [start: string, message: string])[] = [
  ["504b0304", "is a spreadsheet (.xlsx, .ods) or another zip file; save it as CSV UTF-8"],
  ["d0cf11e0", "is a spreadsheet of an old form (.xls); save it as CSV UTF-8"],
  ["28b52ffd", "is compressed with zstd; unpack it, or compress it with gzip"],
  ["425a68", "is compressed with bzip2; unpack it, or compress it with gzip"],
  ["50415231", "is a Parquet file; write it as CSV or JSON"],
];
const GZIP = "1f8b";
const UTF16_MARKS: Readonly<Record<string, string>> = { fffe: "utf-16le", feff: "utf-16be" };

/** The table's file name without its ending, which names the records' file. */
export function stemOf(path: string): string {
  return basename(path)
    .replace(/\.gz$/i, "")
    .replace(/\.[^.]*$/, "");
}

/**
 * Reads the text of a table's file, which may be compressed with gzip.
 * @param encoding undefined for UTF-8, or UTF-16 with a byte-order mark
 * @returns the text, without byte-order mark
 * @throws TableSyntaxError
 */
export async function textOf(path: string, encoding?: string): Promise<string> {
  if (/\.ya?ml(?:\.gz)?$/i.test(path)) {
    refuse(1, "is YAML; convert it to JSON first, as docs/publishing.md#from-yaml shows");
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    refuse(1, "is a folder; name the files in it");
  }
  const bytes = unpacked(
    await readRegular(path, FILE_BYTES_MAX).catch((error) =>
      refuse(1, unreadable(error), "file-unreadable"),
    ),
  );
  for (const [start, message] of NO_TEXTS) {
    if (beginsWith(bytes, start)) refuse(1, `${message}, and import that`);
  }
  const label = encoding ?? UTF16_MARKS[bytes.toString("hex", 0, 2)];
  return (label === undefined ? utf8Text(bytes) : decoded(bytes, label)).replace(/^\uFEFF/, "");
}

function beginsWith(bytes: Buffer, hex: string): boolean {
  return bytes.toString("hex", 0, hex.length / 2) === hex;
}

function unpacked(bytes: Buffer): Buffer {
  if (!beginsWith(bytes, GZIP)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX });
  } catch (error) {
    if (hasCode(error, ["ERR_BUFFER_TOO_LARGE"])) {
      refuse(1, `unpacks to more than ${FILE_BYTES_MAX} bytes; split it into several tables`);
    }
    return refuse(1, `is damaged: it cannot be unpacked (${messageOf(error)})`);
  }
}

function utf8Text(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const finding = encodingFinding(bytes, text);
  if (finding === null) return text;
  const label = finding.message.includes("UTF-16") ? "utf-16le" : "windows-1252";
  const found = finding.message.replace(/, expected.*/, "");
  const remedy = `save it as UTF-8, or name its encoding, as in --encoding ${label}`;
  return refuse(lineAt(text, finding.at), `${found}; ${remedy}`, finding.code);
}

/** The characters that Windows-1252 has in place of the controls 0x80 to 0x9f. */
const WINDOWS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function decoded(bytes: Buffer, label: string): string {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    const text = decoder.decode(bytes);
    if (decoder.encoding !== "windows-1252") return text;
    // Node 20 leaves these controls as they are.
    return text.replace(/[\x80-\x9f]/g, (one) => WINDOWS.charAt(one.charCodeAt(0) - 0x80));
  } catch {
    const text = new TextDecoder(label).decode(bytes);
    const message = `has bytes that are not ${label}; name its encoding with --encoding`;
    return refuse(lineAt(text, text.indexOf("\ufffd")), message, "encoding-wrong");
  }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/** Why a table's file cannot be read, and the remedy. */
function unreadable(error: unknown): string {
  if (!(error instanceof IrregularFileError)) return fileError(error).message;
  const remedy = error.isTooLarge
    ? "split it into several tables"
    : "write the table to a file, and import that";
  return `cannot be read, because ${error.message}; ${remedy}`;
}
