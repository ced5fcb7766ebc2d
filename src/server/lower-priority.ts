import { setPriority } from "node:os";

/**
 * A niceness from 0 to 19. At 5 the thread gets a third of the share of a thread that answers. With a smaller share, a
 * busy machine would never finish a load.
 */
const ASIDE = 5;

/**
 * Lowers the priority of this thread, for the sake of other threads. Only on Linux: elsewhere a priority belongs to the
 * whole process.
 */
export function lowerPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(ASIDE);
  } catch {
    // If the system forbids it, requests wait a little longer.
  }
}
