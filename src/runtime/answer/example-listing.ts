import { hostHash } from "../../contract/host.js";
import type { Engine } from "../../engine/engine.js";
import { isExample } from "../../pages/kit/page-context.js";

/** The host of the API page's examples: the first in the order of the store; null if there is none. */
export function exampleHost(engine: Engine): string | null {
  let first: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let number = 0; number < engine.scored; number += 1) {
    const host = engine.hostOf(number);
    const hash = hostHash(host);
    if (hash > least || !isExample(host)) continue;
    if (hash < least || first === null || host < first) first = host;
    least = hash;
  }
  return first;
}
