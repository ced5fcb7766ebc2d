/** The name of a worker that waits for a hint. It imports nothing, as the script that gives the hint holds back the page. */
export const HINTED = "hinted";

/** Tells a worker that a search will come. */
export interface WorkerHint {
  /** Files of the tree that the page has just read, by their paths. */
  readonly files: Readonly<Record<string, string>>;
}
