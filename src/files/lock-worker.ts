import { writeFileSync } from "node:fs";
import { workerData } from "node:worker_threads";

/** Settings of the thread that keeps a lock alive. */
export interface Heartbeat {
  /** The path of the lock's file, and the text in the file. */
  readonly file: string;
  readonly text: string;
  readonly everyMs: number;
}

// The entry point of the thread, which lock.ts starts. It beats even while the build computes or waits.
const { file, text, everyMs }: Heartbeat = workerData;

function beat(): void {
  try {
    // Writes the same bytes, so that only the file's time changes. Does not create the file again if it
    // is gone.
    writeFileSync(file, text, { flag: "r+" });
  } catch {
    // The next beat may succeed, and the owner checks whether the lock is lost.
  }
}

beat();
setInterval(beat, everyMs);
