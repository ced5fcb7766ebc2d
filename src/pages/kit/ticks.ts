import { el, type TreeElement } from "./tree.js";

/**
 * The box that ticks a site of a list for a comparison. Its id is the site's own, so that a redrawn list never takes over
 * the tick of another site.
 */
export function tickView(host: string): TreeElement {
  const box = { type: "checkbox", name: "sites", value: host, form: "compare" };
  return el("label", { class: "tick" }, el("input", { id: `tick-${host}`, ...box }), " Compare");
}
