import { el } from "../pages/kit/tree.js";
import { fill } from "./dom.js";
import type { Progress } from "./tree.js";

/** Shows how much of the files that searches need has arrived. Shows nothing once they are there. */
export function showLoading(place: Element, { loaded, total }: Progress): void {
  const isLarge = total >= 100_000;
  const [done, all] = [loaded, total].map((bytes) =>
    isLarge ? (bytes / 1_000_000).toFixed(1) : (bytes / 1_000).toFixed(),
  );
  const view = el(
    "div",
    { class: "notice loading" },
    el(
      "label",
      { for: "loading" },
      `Loading the directory: ${done} of ${all} ${isLarge ? "MB" : "kB"}`,
    ),
    el("progress", { id: "loading", value: loaded, max: total }),
  );
  fill(place, loaded < total ? [view] : []);
}
