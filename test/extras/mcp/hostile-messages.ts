import { specTypeSchemas } from "@modelcontextprotocol/server";

/* Messages of MCP with a hostile value at each list, map and text that the SDK's own schemas name. */

/** The parts of a zod schema that are read here, whatever its type. */
interface Schema {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly shape?: Readonly<Record<string, Schema>>;
      readonly element?: Schema;
      readonly valueType?: Schema;
      readonly options?: readonly Schema[];
      readonly innerType?: Schema;
      readonly in?: Schema;
      readonly left?: Schema;
      readonly right?: Schema;
      readonly getter?: () => Schema;
      readonly values?: readonly unknown[];
      readonly entries?: Readonly<Record<string, unknown>>;
    };
  };
}

/** A hostile value, and where it is in a message. */
interface Hostile {
  readonly path: string;
  readonly value: unknown;
}

/** A message with one hostile value. */
export interface HostileMessage extends Hostile {
  readonly method: string;
}

/** Schemas contain themselves. */
const DEPTH_MAX = 7;

/** A value that is valid where no hostile one is. */
function sampleOf(schema: Schema, depth = 0): unknown {
  const { def } = schema._zod;
  if (depth > DEPTH_MAX) return undefined;
  const inner = def.innerType ?? def.in ?? def.options?.[0] ?? def.getter?.();
  switch (def.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).flatMap(([name, part]) =>
          part._zod.def.type === "optional" ? [] : [[name, sampleOf(part, depth + 1)]],
        ),
      );
    case "array":
      return [];
    case "literal":
      return def.values?.[0];
    case "enum":
      return Object.values(def.entries ?? {})[0];
    case "string":
      return "text";
    case "number":
      return 1;
    case "boolean":
      return true;
    case "optional":
      return undefined;
    case "intersection":
      return {
        ...Object(sampleOf(def.left as Schema, depth + 1)),
        ...Object(sampleOf(def.right as Schema, depth + 1)),
      };
    default:
      return inner === undefined ? {} : sampleOf(inner, depth + 1);
  }
}

/** @param amount how many values a list or map has; a text has 25 characters for each of them */
function* hostiles(schema: Schema, amount: number, path: string, depth = 0): Generator<Hostile> {
  const { def } = schema._zod;
  if (depth > DEPTH_MAX) return;
  if (def.type === "object") yield* inObject(schema, amount, path, depth);
  else if (def.type === "array" || def.type === "record")
    yield* inList(schema, amount, path, depth);
  else if (def.type === "string") yield { path: `${path}""`, value: "x".repeat(25 * amount) };
  else if (def.type === "unknown" || def.type === "any") {
    yield { path: `${path}?`, value: zeros(amount) };
  } else {
    const parts = [def.innerType, def.in, def.left, def.right, def.getter?.()];
    for (const inner of [...parts, ...(def.options ?? [])]) {
      if (inner !== undefined) yield* hostiles(inner, amount, path, depth + 1);
    }
  }
}

const zeros = (amount: number) => Array(amount).fill(0);
const members = (amount: number) =>
  Object.fromEntries(zeros(amount).map((_, index) => [`m${index}`, 0]));

function* inObject(
  schema: Schema,
  amount: number,
  path: string,
  depth: number,
): Generator<Hostile> {
  const sample = Object(sampleOf(schema));
  yield { path: `${path}{*}`, value: { ...sample, ...members(amount) } };
  for (const [name, member] of Object.entries(schema._zod.def.shape ?? {})) {
    for (const inner of hostiles(member, amount, `${path}.${name}`, depth + 1)) {
      yield { ...inner, value: { ...sample, [name]: inner.value } };
    }
  }
}

/** In a list, or in a map that has any names. */
function* inList(schema: Schema, amount: number, path: string, depth: number): Generator<Hostile> {
  const { type, element, valueType } = schema._zod.def;
  const isList = type === "array";
  yield { path: `${path}[0]`, value: isList ? zeros(amount) : members(amount) };
  yield {
    path: `${path}[{}]`,
    value: isList ? zeros(amount).map(() => ({})) : zeros(amount),
  };
  const part = element ?? valueType;
  if (part === undefined) return;
  for (const inner of hostiles(part, amount, `${path}[]`, depth + 1)) {
    yield { ...inner, value: isList ? [inner.value] : { m: inner.value } };
  }
}

/** All requests and notifications of the SDK, with a hostile value at each place of their schemas. */
export function hostileMessages(amount: number): HostileMessage[] {
  const schemas = Object.entries(specTypeSchemas as object as Record<string, Schema>);
  return schemas.flatMap(([name, schema]) => {
    const method = schema._zod.def.shape?.method?._zod.def.values?.[0];
    if (typeof method !== "string") return [];
    const found = new Map<string, HostileMessage>();
    for (const { path, value } of hostiles(schema, amount, name)) {
      const key = `${path} ${JSON.stringify(value).length}`;
      if (!found.has(key)) found.set(key, { method, path, value });
    }
    return [...found.values()];
  });
}
