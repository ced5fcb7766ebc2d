import { ERROR_TEXTS, ISSUES_MAX, type Issue } from "../../contract/error.js";
import { EXTENSION_LIMITS } from "../../contract/extensions.js";
import { METHODS } from "../../contract/headers.js";
import {
  type Content,
  type Failure,
  madeContent,
  type ReadPost,
  type SnapshotView,
} from "../answer/content.js";
import { meantHost } from "../answer/routing.js";

const decoder = new TextDecoder();

/**
 * The content of `/api/batch`: each host's summary in search, in the order of the request.
 * @param name of the list of hosts, for issues about hosts that it has twice
 */
export async function batchContent(
  name: string,
  texts: readonly string[],
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const { hosts, issues } = askedHosts(name, texts);
  if (issues.length > 0) {
    return badHosts(issues.slice(0, ISSUES_MAX));
  }
  const summaries = await snapshot.summariesOf(hosts.map(({ host }) => host));
  const items = hosts.map((host, at) => itemOf(host, summaries[at]));
  return madeContent(`{"data":[${items.join(",")}]}`, snapshot);
}

function itemOf({ asked, host }: AskedHost, summary: Uint8Array | undefined): string {
  const named = JSON.stringify({
    host,
    ...(asked !== host && { asked }),
    listed: summary !== undefined,
  });
  return summary === undefined ? named : `${named.slice(0, -1)},"site":${decoder.decode(summary)}}`;
}

function badHosts(issues: readonly Issue[]): Failure {
  return { status: 400, error: ERROR_TEXTS.invalid, issues };
}

const { batchPostMax, pastedMax } = EXTENSION_LIMITS;

/** `POST /api/batch`. A host has 253 characters at most; pasted addresses of ordinary length fit as well. */
export const batchPost: ReadPost = {
  methods: METHODS.replace("HEAD", "HEAD, POST"),
  bytesMax: 256_000,
  answer: async ({ value }, snapshot) => {
    const texts = postedHosts(value);
    if (typeof texts === "string") return badHosts([{ path: "hosts", message: texts }]);
    return batchContent("hosts", texts, snapshot);
  },
};

/** The hosts of a posted body; or what is wrong with them. */
function postedHosts(value: unknown): readonly string[] | string {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const names = isObject ? Object.keys(value) : [];
  if (names.join() !== "hosts") return "must be the only member of the body, which is an object";
  const { hosts }: { readonly hosts?: unknown } = Object(value);
  const isList = Array.isArray(hosts) && hosts.length > 0 && hosts.length <= batchPostMax;
  if (!isList) return `must be a list of 1 to ${batchPostMax} hosts`;
  const texts: readonly unknown[] = hosts;
  const isHost = (one: unknown): one is string =>
    typeof one === "string" && one.trim() !== "" && one.length <= pastedMax;
  return texts.every(isHost) ? texts : `must be texts of 1 to ${pastedMax} characters`;
}

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
