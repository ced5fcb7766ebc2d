import { visit } from "jsonc-parser";
import { excerpt, FINDINGS_MAX, type Finding, NO_FINDINGS } from "./finding.js";

/*
 * Numbers in JSON may have any number of digits, but JavaScript and most other readers of JSON keep about 16. We would
 * publish another number than the one that was written, so such a number is an error.
 */

/** A quick test that no text with an inexact number fails: such a number has 16 digits or an exponent. */
const MAY_BE_INEXACT = /\d\d[\d.]{13}|\d[eE][-+]?\d/;
/** What may be a number: it follows a character that may precede a value. Texts may contain such matches, too. */
const NUMBERS = /(?:^|[:,[\s])(-?\d[\d.eE+-]*)/g;
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/**
 * The numbers of a JSON text that would be rounded.
 * @param text a text that `JSON.parse` accepts
 */
export function inexactNumbers(text: string): readonly Finding[] {
  if (!MAY_BE_INEXACT.test(text)) return NO_FINDINGS;
  let isSuspect = false;
  for (const [, number = ""] of text.matchAll(NUMBERS)) isSuspect ||= isInexact(number);
  if (!isSuspect) return NO_FINDINGS;
  const findings: Finding[] = [];
  visit(text, {
    onLiteralValue: (value, at, length, _line, _column, pathOf) => {
      if (typeof value !== "number" || findings.length > FINDINGS_MAX) return;
      const number = text.slice(at, at + length);
      if (isInexact(number)) findings.push({ path: pathOf(), at, message: inexactMessage(number) });
    },
  });
  return findings;
}

/** Whether a text is a number whose value differs from that of the JavaScript number for it. */
export function isInexact(text: string): boolean {
  const decimal = decimalOf(text);
  return decimal !== null && decimal !== decimalOf(String(Number(text)));
}

/** The message for an inexact number. */
export function inexactMessage(text: string): string {
  const stored = Number(text);
  const why = Number.isFinite(stored)
    ? `which would be rounded to \`${stored}\``
    : "which is too large for a number";
  return `found ${excerpt(text)}, ${why}; write it as text, in quotes, or with fewer digits`;
}

/** A number's significant digits and exponent, the same for all spellings of a value; null if it is not a number. */
function decimalOf(text: string): string | null {
  const [match, whole = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (match === undefined) return null;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  if (start === end) return "0";
  const sign = text.startsWith("-") ? "-" : "";
  const power = Number(exponent) - fraction.length + digits.length - end;
  return `${sign}${digits.slice(start, end)}e${power}`;
}
