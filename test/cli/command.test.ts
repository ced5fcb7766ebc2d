import { expect, it } from "vitest";
import { stopSignal } from "../../cli/command.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const listeners = () => SIGNALS.map((name) => process.listeners(name));

it("the first signal aborts; a second one, even of another kind, ends the process as usual", () => {
  const before = listeners();
  const signal = stopSignal();
  const [onInterrupt] = process.listeners("SIGINT").slice(before[0]?.length);
  expect(signal.aborted).toBe(false);
  onInterrupt?.("SIGINT");
  expect((signal.reason as Error).message).toBe("stopped by SIGINT, nothing was published");
  expect(listeners()).toEqual(before);
});
