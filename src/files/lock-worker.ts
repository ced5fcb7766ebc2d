import { writeFileSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** The orders of the thread that keeps a lock alive. */
export interface Heartbeat {
  /** The lock's file, and what is in it. */
  readonly file: string;
  readonly text: string;
  readonly everyMs: number;
}

// The thread's entry: lock.ts starts it. It beats while the build itself computes or waits.
const { file, text, everyMs } = workerData as Heartbeat;

function beat(): void {
  try {
    // The same bytes again: only the file's time changes. A file that is gone is not made again.
    writeFileSync(file, text, { flag: "r+" });
  } catch {
    // The next beat may succeed; the owner checks whether the lock is lost.
  }
}

beat();
setInterval(beat, everyMs);
