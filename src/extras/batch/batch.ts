import { jsonWithSite } from "../../answer/bodies.js";
import {
  type Content,
  type Failure,
  madeContent,
  type SnapshotView,
} from "../../answer/content.js";
import { ERROR_TEXTS, type Issue } from "../../contract/error.js";
import { type AskedHost, askedHosts, isObject } from "../../contract/values.js";
import { BATCH_LIMITS } from "./reads.js";

/**
 * The content of `/api/batch`: each host's summary in search, in the order of the request.
 * @param name of the list of hosts, for issues
 */
export async function batchContent(
  name: string,
  texts: readonly unknown[],
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const { hosts, issues } = askedHosts(name, texts);
  if (issues.length > 0) return badHosts(issues);
  const summaries = await snapshot.summariesOf(hosts.map(({ host }) => host));
  const items = hosts.map((host, at) => itemOf(host, summaries[at]));
  return madeContent(`{"data":[${items.join(",")}]}`, snapshot);
}

function itemOf({ asked, host }: AskedHost, summary: Uint8Array | undefined): string {
  const item = { host, ...(asked !== host && { asked }), listed: summary !== undefined };
  return summary === undefined ? JSON.stringify(item) : jsonWithSite(item, summary);
}

function badHosts(issues: readonly Issue[]): Failure {
  return { status: 400, error: ERROR_TEXTS.invalid, issues };
}

/** The same for the hosts in the JSON of a body. */
export async function postedBatchContent(
  value: unknown,
  snapshot: SnapshotView,
): Promise<Content | Failure> {
  const texts = postedHosts(value);
  if (typeof texts === "string") return badHosts([{ path: "hosts", message: texts }]);
  return batchContent("hosts", texts, snapshot);
}

/** The hosts of a posted body; or what is wrong with them. */
function postedHosts(value: unknown): readonly unknown[] | string {
  const body = isObject(value) ? value : {};
  if (Object.keys(body).join() !== "hosts") {
    return "must be the only member of the body, which is an object";
  }
  const { hosts } = body;
  const isList = Array.isArray(hosts) && hosts.length > 0 && hosts.length <= BATCH_LIMITS.postMax;
  return isList ? hosts : `must be a list of 1 to ${BATCH_LIMITS.postMax} hosts`;
}
