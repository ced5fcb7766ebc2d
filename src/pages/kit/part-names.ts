/**
 * The names that pages give to the parts of a score. The methodology numbers its two blocks and has no names for them.
 */
export const PART_NAMES = {
  block1: "Core checks",
  block2: "Further checks",
  noBlock: "Other checks",
  penalties: "Penalties",
  capabilities: "Extras",
} as const;
