import { canonicalHostOf } from "../../contract/host.js";
import { oneLine } from "./escape.js";

/* The parameters of Punycode (RFC 3492, section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_CODE = 128;
const FIRST_BIAS = 72;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const PREFIX = "xn--";

/**
 * A host in its own script: `münchen.example` for `xn--mnchen-3ya.example`. Null if it has no Punycode, or if the name
 * does not lead back to the same host. Letters of different scripts may look alike, so pages also show the host itself.
 */
export function hostInScript(host: string): string | null {
  if (!host.includes(PREFIX)) return null;
  const labels = host
    .split(".")
    .map((label) => (label.startsWith(PREFIX) ? labelInScript(label.slice(PREFIX.length)) : label));
  const name = labels.join(".");
  return canonicalHostOf(name) === host && oneLine(name) === name ? name : null;
}

/**
 * A host for one line of text: in its own script, with the host itself in brackets; only the host if they are equal.
 */
export function hostText(host: string): string {
  const name = hostInScript(host);
  return name === null ? host : `${name} (${host})`;
}

/** Decodes the part of a label after `xn--`; "" if it is not valid. */
function labelInScript(label: string): string {
  const end = label.lastIndexOf("-");
  const codes = [...label.slice(0, Math.max(0, end))].map((letter) => letter.charCodeAt(0));
  let code = FIRST_CODE;
  let bias = FIRST_BIAS;
  let at = 0;
  let index = end + 1;
  while (index < label.length) {
    const before = at;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = DIGITS.indexOf(label.charAt(index) || "-");
      index += 1;
      if (digit < 0) return "";
      at += digit * weight;
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = codes.length + 1;
    bias = nextBias(at - before, count, before === 0);
    code += Math.floor(at / count);
    if (code > 0x10ffff) return "";
    at %= count;
    codes.splice(at, 0, code);
    at += 1;
  }
  return String.fromCodePoint(...codes);
}

function nextBias(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
