import type { Issue } from "../../contract/error.js";
import { meantHost } from "../answer/routing.js";

/** A host that a request asks about. */
export interface AskedHost {
  /** The text of the request. */
  readonly asked: string;
  /** The canonical host that the text means; the text itself if it means none. */
  readonly host: string;
}

/** Reduces a pasted address or a host in another spelling to its canonical host, as the search box does. */
export function askedHost(asked: string): AskedHost {
  return { asked, host: meantHost(asked) ?? asked };
}

/**
 * Reduces the hosts of a list.
 * @param name of the list, for issues
 * @returns the hosts in order, and an issue for each host that the list has twice
 */
export function askedHosts(
  name: string,
  texts: readonly string[],
): { readonly hosts: readonly AskedHost[]; readonly issues: readonly Issue[] } {
  const first = new Map<string, number>();
  const issues: Issue[] = [];
  const hosts = texts.map((text, index) => {
    const found = askedHost(text);
    const before = first.get(found.host);
    if (before === undefined) first.set(found.host, index);
    else
      issues.push({
        path: `${name}[${index}]`,
        message: `is the same host as ${name}[${before}]`,
      });
    return found;
  });
  return { hosts, issues };
}
