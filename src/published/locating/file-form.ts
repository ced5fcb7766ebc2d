import type { Line } from "../../files/lines.js";
import { isUtf16, UTF16 } from "../checking/json.js";
import type { Problem } from "../checking/problem.js";
import { endOfContent, trimBlanks } from "../checking/record.js";
import { wholeFile } from "./files.js";
import { FileError, isOneRecord } from "./regular-file.js";

const BRACKET = 0x5b;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const BRACE = 0x7d;

/**
 * Finds mistakes that concern a whole file (UTF-16, a JSON array, records over several lines, a comma after each
 * line) and reports each of them once, not once per line.
 */
export class FileForm {
  readonly #name: string;
  #isFirst = true;
  /** The position of the first comma after a record. */
  #comma: { readonly line: number; readonly column: number } | null = null;
  #commas = 0;

  /** @param name the file's path inside the published folder */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Checks the file's next record. @returns the record, without a comma after it
   * @throws FileError if the file's form means that no line of it can be a record
   */
  take(record: Line): Line {
    const { number: line, bytes } = record;
    if (bytes === null) return record;
    if (this.#isFirst) this.#checkFirst(bytes);
    this.#isFirst = false;
    // Nearly every line ends with its record; only other lines need a closer look.
    if (bytes.at(-1) === BRACE || isOneRecord(this.#name)) return record;
    const trimmed = bytes.subarray(0, endOfContent(bytes));
    // Any other line that ends in a comma is a piece of a record that is written over several lines.
    if (trimmed.at(-1) !== COMMA || trimmed.at(-2) !== BRACE) return record;
    this.#comma ??= { line, column: trimmed.toString("utf8").length };
    this.#commas += 1;
    const length = trimmed.length - 1;
    return { ...record, length, bytes: bytes.subarray(0, length) };
  }

  /** The error about commas after records; null if the file has none. */
  problem(): Problem | null {
    if (this.#comma === null) return null;
    const all = this.#commas === 1 ? "" : ` (one of ${this.#commas} such lines in this file)`;
    const message = `ends in a comma${all}, expected one record per line with nothing between them`;
    return { ...wholeFile(this.#name, message), ...this.#comma };
  }

  #checkFirst(bytes: Buffer): void {
    if (isUtf16(bytes)) throw new FileError(UTF16);
    const trimmed = trimBlanks(bytes);
    if (trimmed.length === 1 && trimmed[0] === OPEN_BRACE && !isOneRecord(this.#name)) {
      throw new FileError(
        "has records that span several lines, expected one record per line, as jq -c prints them",
      );
    }
    if (trimmed[0] !== BRACKET) return;
    throw new FileError(
      isOneRecord(this.#name)
        ? "is a JSON array, expected one record; put several records into an .ndjson file, one per line"
        : "is a JSON array, expected one record per line, without brackets around them or commas between them",
    );
  }
}
