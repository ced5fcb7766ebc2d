import type { Standards } from "./standards.js";

/** What pages know about the checks of a methodology, each by its id and in the methodology's order. */
export interface CheckLists {
  readonly checkIds: readonly string[];
  /** The achievements, without those that the methodology is trying out or gives up. */
  readonly achievements: readonly string[];
}

export function checkLists({ checks }: Pick<Standards, "checks">): CheckLists {
  const achievements = checks.filter(
    ({ kind, lifecycle }) => kind === "achievement" && lifecycle === "active",
  );
  return { checkIds: checks.map(({ id }) => id), achievements: achievements.map(({ id }) => id) };
}
