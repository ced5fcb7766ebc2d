import { expect, it, onTestFinished, vi } from "vitest";
import { EXIT, stopSignal } from "../../cli/command.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

it("the first signal aborts, its copies count as one, and a later one ends the process with code 1", () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const before = SIGNALS.map((name) => process.listeners(name));
  onTestFinished(() => {
    vi.useRealTimers();
    exit.mockRestore();
    for (const [i, name] of SIGNALS.entries()) {
      for (const one of process.listeners(name))
        if (!before[i]?.includes(one)) process.off(name, one);
    }
  });
  const signal = stopSignal();
  const [onInterrupt, onTermination] = SIGNALS.map((name) => process.listeners(name).at(-1));
  expect(signal.aborted).toBe(false);
  onInterrupt?.("SIGINT");
  expect((signal.reason as Error).message).toBe("stopped by SIGINT, nothing was published");
  vi.advanceTimersByTime(400);
  onInterrupt?.("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  onTermination?.("SIGTERM");
  expect(exit).toHaveBeenCalledExactlyOnceWith(EXIT.failed);
});
