import type { z } from "zod";
import type { Failure, SnapshotView } from "../../answer/content.js";
import type { Issue } from "../../contract/error.js";
import { currentQuery } from "../../contract/former.js";
import {
  nameHint,
  type Parameter,
  type ParameterTable,
  type QueryOf,
  type QueryReading,
  readParameters,
} from "../../contract/query.js";
import { own } from "../../contract/tables.js";
import { isObject } from "../../contract/values.js";

/** The most hosts of a call. */
export const CALL_HOSTS_MAX = 100;

/** The most values of a call's arguments, all together. */
const VALUES_MAX = 2 * CALL_HOSTS_MAX;

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

/** Makes a tool from its parts. Its arguments are read like the parameters of a read. */
export function toolOf<P extends ParameterTable, O extends z.ZodObject>(
  facts: Omit<Tool, "call" | "parameters" | "output"> & {
    readonly parameters: P;
    readonly output: O;
  },
  answer: (
    query: QueryOf<P>,
    snapshot: SnapshotView,
  ) => Promise<
    (Omit<ToolContent, "content"> & { readonly content: z.output<O> }) | ToolRefusal | Failure
  >,
): Tool {
  return {
    ...facts,
    call: async (given, snapshot) => {
      const reading = readArguments(facts.parameters, given);
      if (!reading.ok) return invalid(reading.issues);
      const query = currentQuery(facts.parameters, reading.value, snapshot.directory.former);
      return answer(query, snapshot);
    },
  };
}

/**
 * Reads a call's arguments: the values of parameters. Null and texts without a visible character
 * count as absent, because models fill in optional arguments with them.
 */
function readArguments<P extends ParameterTable>(
  table: P,
  given: unknown,
): QueryReading<QueryOf<P>> {
  const refused = (path: string, message: string): QueryReading<QueryOf<P>> => ({
    ok: false,
    issues: [{ path, message }],
  });
  if (!isObject(given)) return refused("arguments", "must be an object");
  const values = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of Object.entries(given)) {
    const parameter = own<Parameter>(table, name);
    if (parameter === undefined) {
      const hint = nameHint(name, table);
      return refused("arguments", `has only ${Object.keys(table).join(", ")}${hint}`);
    }
    if (value === null) continue;
    const isList = Array.isArray(value);
    const all: unknown[] = isList ? value : [value];
    count += all.length;
    if (count > VALUES_MAX)
      return refused(name, `has too many values: all arguments together may have ${VALUES_MAX}`);
    const texts = parameter.isRequired === true ? all : all.filter((one) => !isBlank(one));
    const isFlat = texts.every((one) => typeof one === "string" || typeof one === "number");
    if (!isFlat || (isList && parameter.max === undefined)) {
      const rule = parameter.max === undefined ? "must be one value" : "must be a list of texts";
      return refused(name, rule);
    }
    values.set(
      name,
      texts.map((one) => String(one).toWellFormed()),
    );
  }
  return readParameters(table, values);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}
