import { Slug } from "./scalars.js";

/* Hints that follow the message of an issue, for mistakes that tell what the client meant. */

/** The parts of a parameter that hints use. */
interface KnownParameters {
  readonly name: string;
  /** Whether the parameter may be repeated. */
  readonly many: boolean;
}

/** Longer names and values get no hint. */
const HINTED_MAX = 200;

/**
 * The hint for an unknown parameter name: `category[]` tells how to repeat `category`, `min_score` names `minScore`.
 * @returns "" if no parameter has a similar name
 */
export function nameHint(name: string, parameters: readonly KnownParameters[]): string {
  if (name.length > HINTED_MAX) return "";
  const bare = name.replace(/\[\w*\]$/, "");
  const meant = parameters.find((known) => folded(known.name) === folded(bare));
  if (meant === undefined) return "";
  return meant.many && bare !== name ? repeatHint(meant.name) : `; did you mean "${meant.name}"?`;
}

/** The hint for an invalid value of a repeatable parameter: "" unless the value looks like a list. */
export function valueHint(name: string, value: string): string {
  if (!value.includes(",") || value.length > HINTED_MAX) return "";
  const [first, second] = value.split(",").map((one) => one.trim());
  const areSlugs = Slug.safeParse(first).success && Slug.safeParse(second).success;
  return areSlugs ? repeatHint(name, first, second) : repeatHint(name);
}

function repeatHint(name: string, first = "a", second = "b"): string {
  return `; to give several values, repeat the key: ${name}=${first}&${name}=${second}`;
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}
