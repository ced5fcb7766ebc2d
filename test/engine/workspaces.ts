import { Workspace } from "../../src/engine/sets.js";

/** One that a request before has left full of what is nobody's business any more. */
export function usedSpace(size: number): Workspace {
  const space = new Workspace(size);
  space.take(1 << 14).fill(0xffffffff);
  space.clear();
  return space;
}
