import { SiteRefusedError } from "./record.js";

/* Lines of nginx's configuration. */

/** Codes by which a location says what is to be answered. No client ever sees them. */
export const SIGNALS = { preflight: 480, badHost: 481, badQuery: 482, noReport: 483 } as const;

export type Headers = Readonly<Record<string, string>>;

/** In nginx, what is set in a location replaces all that is set above it: each names everything. */
export const METHOD_LINES = [
  ...when("$crawldex_method = preflight", SIGNALS.preflight),
  ...when("$crawldex_method = refused", 405),
];

/** A type, and headers with it. @param always else on 200 and 304 and their like alone */
export function headerLines(type: string, headers: Headers, always: boolean): string[] {
  const [plain = "", charset] = type.split("; charset=");
  const typed =
    charset === undefined
      ? []
      : [`charset ${charset};`, ...(plain === "text/html" ? [] : [`charset_types ${plain};`])];
  return [`default_type ${plain};`, ...typed, ...addHeaders(headers, always)];
}

/** @param always else on 200 and 304 and their like alone */
export function addHeaders(headers: Headers, always: boolean): string[] {
  return Object.entries(headers).map(
    ([name, value]) => `add_header ${name} ${constant(value)}${always ? " always" : ""};`,
  );
}

export function when(condition: string, code: number): string[] {
  return [`if (${condition}) {`, `    return ${code};`, "}"];
}

export function location(match: string, lines: readonly string[]): string[] {
  return [`    location ${match} {`, ...lines.map((line) => `        ${line}`), "    }"];
}

/**
 * A text where nginx would put in variables: ours, and no others.
 * @throws SiteRefusedError for one that has another `$`: nginx knows no escape
 */
export function constant(value: string): string {
  if (!value.replace(/\$crawldex_\w+/g, "").includes("$")) return text(value);
  throw new SiteRefusedError(`nginx takes a $ for a variable, so that it cannot be told ${value}`);
}

/** A text in nginx's quotes. */
export function text(value: string): string {
  return `'${value.replace(/[\\']/g, "\\$&")}'`;
}
