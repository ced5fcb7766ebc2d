import type { Random } from "./random.js";

/** What templates are filled from. */
export interface Context {
  readonly random: Random;
  /** Values that templates may name. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** What is true of the site, for conditions. */
  readonly traits: ReadonlySet<string>;
}

/** A template of the data files, ready to be filled. */
export type Template = (context: Context) => unknown;

/** Objects with a meaning of their own. */
interface Special {
  readonly $oneOf?: readonly (readonly [template: unknown, weight: number])[];
  readonly $if?: string;
  readonly then?: unknown;
  readonly else?: unknown;
  readonly $times?: unknown;
  readonly of?: unknown;
}

/**
 * Reads a template of the data files:
 * - `"{name}"` is a fact, `"{3-9}"` a whole number from that range, `"{a|b}"` one of the alternatives. A text that is
 *   nothing but one of these becomes its value, which may be a number, a list or null;
 * - `{ "$oneOf": [[template, weight], …] }` is one of the templates; `"$absent"` among them leaves the key out;
 * - `{ "$if": trait, "then": template, "else": template }` depends on the site, see `holds`;
 * - `{ "$times": count, "of": template }` is a list; its items know their `place`, which counts from 1.
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

/** A template of an object whose keys all have their plain meaning. */
export function recordTemplate(source: object): (context: Context) => Record<string, unknown> {
  const entries = Object.entries(source).map(([key, value]) => [key, templateOf(value)] as const);
  return (context) => {
    const filled: Record<string, unknown> = {};
    for (const [key, template] of entries) filled[key] = template(context);
    return filled;
  };
}

/** A template of a text that stays a text. Lists are joined by commas. */
export function textTemplate(source: string): (context: Context) => string {
  // Odd parts are placeholders.
  const parts = source.split(/\{([^{}]+)\}/);
  if (parts.length === 1) return () => source;
  const templates = parts.map((part, index) => (index % 2 === 1 ? placeholder(part) : () => part));
  return (context) =>
    templates
      .map((template) => template(context))
      .map((value) => (Array.isArray(value) ? value.join(", ") : String(value)))
      .join("");
}

/** Whether a site has a trait or, after "!", does not have it. */
export function holds(condition: string, traits: ReadonlySet<string>): boolean {
  return condition.startsWith("!") ? !traits.has(condition.slice(1)) : traits.has(condition);
}

/** @throws Error when it is filled, for a fact that is not there */
function placeholder(text: string): Template {
  const [, min, max] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (min !== undefined) return ({ random }) => random.between(Number(min), Number(max));
  const words = text.split("|");
  if (words.length > 1) return ({ random }) => random.pick(words);
  return ({ facts }) => {
    if (text in facts) return facts[text];
    throw new Error(`a template of the sample names the unknown fact "${text}"`);
  };
}
