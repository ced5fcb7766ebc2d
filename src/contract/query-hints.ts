import { namesOf } from "./tables.js";
import { SLUG } from "./values.js";

/* Hints that follow the message of an issue, for mistakes that tell what the client meant. */

/** The parts of parameters that hints use, by name. `max` is set if the parameter may be repeated. */
type KnownParameters = Readonly<Record<string, { readonly max?: number }>>;

/** Longer names and values get no hint. */
const HINTED_MAX = 200;

/**
 * The hint for an unknown parameter name: `category[]` tells how to repeat `category`, `min_score` names `minScore`.
 * @returns "" if no parameter has a similar name
 */
export function nameHint(name: string, parameters: KnownParameters): string {
  if (name.length > HINTED_MAX) return "";
  const bare = name.replace(/\[\w*\]$/, "");
  const meant = namesOf(parameters).find((known) => folded(known) === folded(bare));
  if (meant === undefined) return "";
  const isList = parameters[meant]?.max !== undefined;
  return isList && bare !== name ? repeatHint(meant) : `; did you mean "${meant}"?`;
}

/** The hint for an invalid value of a repeatable parameter: "" unless the value looks like a list. */
export function valueHint(name: string, value: string): string {
  if (!value.includes(",") || value.length > HINTED_MAX) return "";
  const [first = "", second = ""] = value.split(",").map((one) => one.trim());
  const areSlugs = SLUG.read(first) !== undefined && SLUG.read(second) !== undefined;
  return areSlugs ? repeatHint(name, first, second) : repeatHint(name);
}

function repeatHint(name: string, first = "a", second = "b"): string {
  return `; to give several values, repeat the key: ${name}=${first}&${name}=${second}`;
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}
