import { ISSUES_MAX, type Issue } from "./error.js";
import { meantHost } from "./host.js";
import { HOST_TEXT } from "./values.js";

/** A host that a request asks about. */
export interface AskedHost {
  /** The text of the request. */
  readonly asked: string;
  /** The canonical host that the text means. */
  readonly host: string;
}

/** Reduces a text that `HOST_TEXT` accepts to its canonical host. */
export function askedHost(asked: string): AskedHost {
  return { asked, host: meantHost(asked) ?? asked };
}

/**
 * Reduces pasted addresses, and hosts in other spellings, to their canonical hosts.
 * @param name of the list, for issues
 * @returns the hosts in order, and the first issues: values that cannot be a host, or that the list has twice
 */
export function askedHosts(
  name: string,
  values: readonly unknown[],
): { readonly hosts: readonly AskedHost[]; readonly issues: readonly Issue[] } {
  const first = new Map<string, number>();
  const hosts: AskedHost[] = [];
  const issues: Issue[] = [];
  for (const [index, asked] of values.entries()) {
    // No answer names more. A text that is no host costs more than one that is.
    if (issues.length === ISSUES_MAX) break;
    const path = `${name}[${index}]`;
    const host = typeof asked === "string" ? meantHost(asked) : null;
    const before = host === null ? undefined : first.get(host);
    if (typeof asked !== "string" || host === null) {
      issues.push({ path, message: HOST_TEXT.message });
    } else if (before !== undefined) {
      issues.push({ path, message: `is the same host as ${name}[${before}]` });
    } else {
      first.set(host, index);
      hosts.push({ asked, host });
    }
  }
  return { hosts, issues };
}
