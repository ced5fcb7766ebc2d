import { oneLine } from "../kit/escape.js";

/* Apart from the drawing, as an edge worker loads this part at its start. */

const LABEL = "crawler readiness";
/** The maximum length of a label of the reader's own, in characters. */
export const LABEL_MAX = 40;

/** The styles of a badge: flat with round corners, flat with square ones, or shiny. */
export const BADGE_STYLES = ["flat", "flat-square", "plastic"] as const;

/** How a badge looks: its style and the text before the score. */
export interface BadgeLook {
  readonly style: (typeof BADGE_STYLES)[number];
  readonly label: string;
}

export const DEFAULT_LOOK: BadgeLook = { style: "flat", label: LABEL };

/** The look that a query asks for. Invalid values, and names given twice, count as absent. */
export function badgeLook(query: string): BadgeLook {
  const asked = new URLSearchParams(query);
  const only = (name: string) => {
    const values = asked.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  };
  const style = BADGE_STYLES.find((one) => one === only("style")) ?? DEFAULT_LOOK.style;
  const label = oneLine(only("label") ?? "");
  const isShort = label !== "" && [...label].length <= LABEL_MAX;
  return { style, label: isShort ? label : LABEL };
}

/** The query that asks for a look, in a fixed order and without defaults; "" for the default look. */
export function badgeQuery({ style, label }: BadgeLook): string {
  const query = new URLSearchParams();
  if (label !== DEFAULT_LOOK.label) query.set("label", label);
  if (style !== DEFAULT_LOOK.style) query.set("style", style);
  return query.toString();
}
