import type { z } from "zod";
import type { Failure, SnapshotView } from "../../answer/content.js";
import { ISSUES_MAX, type Issue } from "../../contract/error.js";
import { currentQuery } from "../../contract/former.js";
import { nearNames } from "../../contract/near.js";
import {
  type Parameter,
  type ParameterTable,
  type QueryOf,
  readParameters,
} from "../../contract/query.js";
import { isObject } from "../../contract/values.js";
import { quotedOr, unknownSlug } from "./terms.js";

/** The most hosts of a call. */
export const CALL_HOSTS_MAX = 100;

/** A question that an agent may ask. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** What the tool is for, to a model that chooses among tools. */
  readonly description: string;
  readonly parameters: ParameterTable;
  /** The structured content of an answer, besides the notice. */
  readonly output: z.ZodObject;
  /**
   * Answers a call.
   * @param given the call's arguments, of any type
   * @throws if a stored file is missing or damaged
   */
  call(given: unknown, snapshot: SnapshotView): Promise<ToolAnswer>;
}

/** The structured content of a tool's answer; or why there is none. */
export type ToolAnswer = ToolContent | ToolRefusal;

export interface ToolContent {
  readonly content: object;
  /** Addresses of resources that say more. */
  readonly links?: readonly ToolLink[];
}

export interface ToolLink {
  readonly uri: string;
  readonly name: string;
}

export interface ToolRefusal {
  readonly error: string;
  readonly issues?: readonly Issue[];
}

/** The refusal of a call's arguments. */
export function invalid(issues: readonly Issue[]): ToolRefusal {
  return { error: "The arguments are not valid; see the issues.", issues };
}

/** The issue of a host of which the directory has no report. */
export const NO_SITE: Issue = {
  path: "host",
  message:
    "is no site with a report here; search_sites finds listed sites by a part of their name (q)",
};

/**
 * Makes a tool from its parts. Its arguments are read like the parameters of a read, and slugs that no term has are
 * refused, except in lists.
 * @param answer `unknown` says which slugs of lists no term has
 */
export function toolOf<P extends ParameterTable, O extends z.ZodObject>(
  facts: Omit<Tool, "call" | "parameters" | "output"> & {
    readonly parameters: P;
    readonly output: O;
  },
  answer: (
    query: QueryOf<P>,
    snapshot: SnapshotView,
    unknown: readonly Issue[],
  ) => Promise<
    (Omit<ToolContent, "content"> & { readonly content: z.output<O> }) | ToolRefusal | Failure
  >,
): Tool {
  const { parameters } = facts;
  return {
    ...facts,
    call: async (given, snapshot) => {
      const { values, issues } = givenValues(parameters, given);
      const unknown: Issue[] = [];
      for (const value of [...values.values()].flat()) {
        if (issues.length > ISSUES_MAX) break;
        const issue = await valueIssue(value, snapshot);
        if (issue !== null) (isUnknownInList(value) ? unknown : issues).push(issue);
      }
      if (issues.length > 0) return invalid(issues);
      const texts = Array.from(
        values,
        ([name, all]) => [name, all.map(({ text }) => text)] as const,
      );
      const reading = readParameters(parameters, new Map(texts));
      if (!reading.ok) return invalid(reading.issues);
      const query = currentQuery(parameters, reading.value, snapshot.directory.former);
      return answer(query, snapshot, unknown);
    },
  };
}

/** A value of an argument, as a text. */
interface GivenValue {
  /** Where it is: `sort`, or `category[1]`. */
  readonly path: string;
  readonly text: string;
  readonly parameter: Parameter;
}

/** What is wrong with a value by itself; null if nothing is. */
async function valueIssue(
  { path, text, parameter: { kind, names } }: GivenValue,
  snapshot: SnapshotView,
): Promise<Issue | null> {
  if (names !== undefined) return unknownSlug(path, names, text, snapshot);
  return kind.read(text) === undefined ? { path, message: kind.message } : null;
}

/** Whether a value that names no term may stay: the other values of its list match without it. */
function isUnknownInList({ text, parameter: { kind, names, max } }: GivenValue): boolean {
  return names !== undefined && max !== undefined && kind.read(text) !== undefined;
}

/**
 * Reads the form of a call's arguments. Null and texts without a visible character count as absent, because models
 * fill in optional arguments with them.
 * @returns the values by argument, and what is wrong with the others
 */
function givenValues(table: ParameterTable, given: unknown) {
  const values = new Map<string, GivenValue[]>();
  if (!isObject(given)) {
    return { values, issues: [{ path: "arguments", message: "must be an object" }] };
  }
  const issues: Issue[] = Object.keys(given).flatMap((name) => unknownArgument(name, table));
  for (const [name, parameter] of Object.entries(table)) {
    const value = Object.hasOwn(given, name) ? given[name] : null;
    const problem = formIssue(value, parameter);
    if (problem !== null) issues.push({ path: name, message: problem });
    else {
      const list = Array.isArray(value) ? value : [value];
      const isSingle = parameter.max === undefined;
      const all = list.flatMap((one, at) =>
        givenValue(isSingle ? name : `${name}[${at}]`, one, parameter),
      );
      if (all.length > 0) values.set(name, all);
    }
  }
  return { values, issues };
}

/** How many characters of a text of the call an issue shows. */
const SHOWN_MAX = 50;

function unknownArgument(name: string, table: ParameterTable): Issue[] {
  if (Object.hasOwn(table, name)) return [];
  const names = Object.keys(table);
  const near = nearNames(name, names);
  const hint = near.length === 0 ? "" : `; did you mean ${quotedOr(near)}?`;
  const message = `is no argument of this tool${hint || ";"} it takes only ${names.join(", ")}`;
  return [{ path: name.slice(0, SHOWN_MAX).toWellFormed(), message }];
}

/** What is wrong with the form of an argument, whatever its values mean; null if nothing is. */
function formIssue(value: unknown, parameter: Parameter): string | null {
  const { kind, max, isRequired = false } = parameter;
  const isList = Array.isArray(value);
  if (isRequired && (value === null || (isList && value.length === 0))) {
    const each = max === undefined ? "it " : `a list of 1 to ${max} values, each of which `;
    return `is required: ${each}${kind.message}`;
  }
  if (max === undefined) return isList ? `${kind.message}; it is one value, not a list` : null;
  if (isList)
    return value.length > max ? `may have at most ${max} values, and has ${value.length}` : null;
  if (typeof value !== "string" || value.length > LISTING_MAX) return null;
  const parts = value.split(/[,"[\]]/).flatMap((one) => one.trim() || []);
  const isListing = parts.join() !== value.trim() || parts.length > 1;
  if (!isListing || parts.some((one) => kind.read(one) === undefined)) return null;
  return `must be a list, not a text that has one: ${JSON.stringify(parts)}`;
}

/** The most characters of a text that is read as a list, for messages. */
const LISTING_MAX = 1_000;

/** The value as a list of one; or an empty list if it counts as absent. */
function givenValue(path: string, value: unknown, parameter: Parameter): GivenValue[] {
  const isBlank = value === null || (typeof value === "string" && value.trim() === "");
  if (isBlank && parameter.isRequired !== true) return [];
  const isText = typeof value === "string" || typeof value === "number";
  // No kind of value reads an empty text.
  return [{ path, text: isText ? String(value).toWellFormed() : "", parameter }];
}
