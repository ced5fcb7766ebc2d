import {
  byPlace,
  type Problem,
  type ProblemGroup,
  sortedGroups,
} from "../published/checking/problem.js";
import type { Published } from "../published/published.js";

/** The published directory has errors, so nothing was written. */
export class BadPublishedError extends Error {
  override readonly name = "BadPublishedError";
  /** Sorted by file, line and column. If there are very many, only the first are here. */
  readonly problems: readonly Problem[];
  /** The number of all problems. */
  readonly problemCount: number;
  /** Sorted as `problems` are. Empty if warnings count as errors. */
  readonly warnings: readonly Problem[];
  /** The number of all warnings. */
  readonly warningCount: number;
  /** All problems by their kind, sorted by their first place. */
  readonly problemGroups: readonly ProblemGroup[];
  /** All warnings by their kind. */
  readonly warningGroups: readonly ProblemGroup[];
  /** The published directory, as the caller passed it. */
  readonly folder: string;

  /** @param strict whether warnings count as errors */
  constructor(
    found: Omit<BadPublishedError, keyof Error | "folder">,
    folder: string,
    strict: boolean,
  ) {
    const { problems, problemCount, problemGroups, warnings, warningCount, warningGroups } = found;
    const count = strict ? problemCount + warningCount : problemCount;
    super(`${count} ${count === 1 ? "error" : "errors"} in the published directory`);
    this.problems = strict ? [...problems, ...warnings].sort(byPlace) : problems;
    this.problemCount = count;
    this.problemGroups = strict
      ? sortedGroups([...problemGroups, ...warningGroups])
      : problemGroups;
    this.warnings = strict ? [] : warnings;
    this.warningCount = strict ? 0 : warningCount;
    this.warningGroups = strict ? [] : warningGroups;
    this.folder = folder;
  }
}

export function throwIfBadPublished(published: Published, folder: string, strict: boolean): void {
  const { problemCount, warningCount } = published;
  if (problemCount > 0 || (strict && warningCount > 0)) {
    throw new BadPublishedError(published, folder, strict);
  }
}
