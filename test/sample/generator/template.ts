import type { Random } from "./random.js";

/** The values that fill a template. */
export interface Context {
  readonly random: Random;
  /** Named values that placeholders refer to. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The site's traits, for conditions. */
  readonly traits: ReadonlySet<string>;
}

/** A parsed template of the data files; call it to fill it. */
export type Template = (context: Context) => unknown;

/** Template objects with a special meaning, marked by a `$` key. */
interface Special {
  readonly $oneOf?: readonly (readonly [template: unknown, weight: number])[];
  readonly $if?: string;
  readonly then?: unknown;
  readonly else?: unknown;
  readonly $times?: unknown;
  readonly of?: unknown;
}

/**
 * Parses a template of the data files:
 * - `"{name}"` is a fact, `"{3-9}"` a whole number in that range, `"{a|b}"` one of the alternatives. A text that
 *   consists of only one of these becomes its value, which may be a number, a list or null;
 * - `{ "$oneOf": [[template, weight], …] }` is one of the templates; the template `"$absent"` omits the key;
 * - `{ "$if": trait, "then": template, "else": template }` depends on the site, see `holds`;
 * - `{ "$times": count, "of": template }` is a list; its items have the fact `place`, which counts from 1.
 */
export function templateOf(source: unknown): Template {
  if (source === "$absent") return () => undefined;
  if (typeof source === "string") {
    const [, only] = /^\{([^{}]+)\}$/.exec(source) ?? [];
    return only === undefined ? textTemplate(source) : placeholder(only);
  }
  if (Array.isArray(source)) {
    const items = source.map(templateOf);
    return (context) => items.map((item) => item(context));
  }
  return typeof source === "object" && source !== null ? objectTemplate(source) : () => source;
}

function objectTemplate(source: Special): Template {
  const { $oneOf, $if, $times } = source;
  if ($oneOf !== undefined) {
    const choices = $oneOf.map(([one, weight]) => [templateOf(one), weight] as const);
    return (context) => context.random.weighted(choices)(context);
  }
  if ($if !== undefined) {
    const [yes, no] = [templateOf(source.then), templateOf(source.else)];
    return (context) => (holds($if, context.traits) ? yes : no)(context);
  }
  if ($times === undefined) return recordTemplate(source);
  const [times, item] = [templateOf($times), templateOf(source.of)];
  return (context) =>
    Array.from({ length: Number(times(context)) }, (_, index) =>
      item({ ...context, facts: { place: index + 1, ...context.facts } }),
    );
}

/** A template of an object without special keys. */
export function recordTemplate(source: object): (context: Context) => Record<string, unknown> {
  const entries = Object.entries(source).map(([key, value]) => [key, templateOf(value)] as const);
  return (context) => {
    const filled: Record<string, unknown> = {};
    for (const [key, template] of entries) filled[key] = template(context);
    return filled;
  };
}

/** A template whose result is always a text. Lists are joined by commas. */
export function textTemplate(source: string): (context: Context) => string {
  // Parts at odd indices are placeholders.
  const parts = source.split(/\{([^{}]+)\}/);
  if (parts.length === 1) return () => source;
  const templates = parts.map((part, index) => (index % 2 === 1 ? placeholder(part) : () => part));
  return (context) =>
    templates
      .map((template) => template(context))
      .map((value) => (Array.isArray(value) ? value.join(", ") : String(value)))
      .join("");
}

/** Whether the traits include the condition or, if it starts with "!", do not include it. */
export function holds(condition: string, traits: ReadonlySet<string>): boolean {
  return condition.startsWith("!") ? !traits.has(condition.slice(1)) : traits.has(condition);
}

/** A template of one placeholder. When filled, it throws an Error if its fact is unknown. */
function placeholder(text: string): Template {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (min !== undefined) return ({ random }) => random.between(Number(min), Number(max));
  const words = text.split("|");
  if (words.length > 1) return ({ random }) => random.pick(words);
  return ({ facts }) => {
    if (text in facts) return facts[text];
    throw new Error(`a template of the sample uses an unknown fact: "${text}"`);
  };
}
