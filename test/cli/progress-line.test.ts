import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { ProgressLine } from "../../cli/progress-line.js";
import { PHASES } from "../../src/options/defaults.js";

/** What a progress line needs of a terminal. */
class FakeTerminal extends EventEmitter {
  isTTY = true;
  columns = 80;
  written: string[] = [];

  write(text: string): boolean {
    this.written.push(text);
    return true;
  }

  getColorDepth(): number {
    return 1;
  }
}

function aLine() {
  const terminal = new FakeTerminal();
  const line = new ProgressLine(terminal as unknown as NodeJS.WriteStream);
  onTestFinished(() => line.hide());
  return { terminal, line };
}

const draws = ({ written }: FakeTerminal) => written.filter((text) => text.includes("compiling"));

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

describe("the progress line", () => {
  it("draws at most ten times a second, however often progress is reported, and also without reports", () => {
    const { terminal, line } = aLine();
    for (let ms = 0; ms < 1_000; ms += 1) {
      line.report(ms, 2_000, PHASES.compiling);
      vi.advanceTimersByTime(1);
    }
    expect(draws(terminal)).toHaveLength(10);
    vi.advanceTimersByTime(1_000);
    expect(draws(terminal)).toHaveLength(20);
  });

  it("draws even if the work leaves timers no time to run", () => {
    const { terminal, line } = aLine();
    line.report(0, 100, PHASES.compiling);
    const start = performance.now();
    const now = vi.spyOn(performance, "now");
    for (const ms of [50, 100, 150, 250]) {
      now.mockReturnValue(start + ms);
      line.report(ms, 1_000, PHASES.compiling);
    }
    expect(draws(terminal)).toHaveLength(2);
  });

  it("hides the cursor once, and leaves an empty line and the cursor when it ends", () => {
    const { terminal, line } = aLine();
    line.report(1, 10, PHASES.compiling);
    vi.advanceTimersByTime(500);
    line.hide();
    line.hide();
    vi.advanceTimersByTime(500);
    expect(terminal.written.filter((text) => text === "\x1b[?25l")).toHaveLength(1);
    expect(terminal.written.filter((text) => text.includes("\x1b[?25h"))).toHaveLength(1);
    expect(terminal.written.at(-1)).toBe("\r\x1b[K\x1b[?25h");
    expect(terminal.listenerCount("resize")).toBe(0);
  });

  it("draws nothing for work that ends at once", () => {
    const { terminal, line } = aLine();
    line.report(1, 10, PHASES.compiling);
    vi.advanceTimersByTime(90);
    line.report(10, 10, PHASES.compiling);
    line.hide();
    vi.advanceTimersByTime(500);
    expect(terminal.written).toEqual([]);
  });

  it("clears all rows into which a narrower terminal has broken it, and then fits the new width", () => {
    const { terminal, line } = aLine();
    line.report(1, 10, PHASES.compiling);
    vi.advanceTimersByTime(1_000);
    terminal.written = [];
    terminal.columns = 30;
    terminal.emit("resize");
    const [clearing, drawn = ""] = terminal.written;
    // 48 columns had been drawn upon.
    expect(clearing).toBe("\r\x1b[1A\x1b[J");
    expect(drawn).toBe(`\rcompiling █${"░".repeat(10)}  10 %\x1b[K`);
    terminal.written = [];
    terminal.columns = 200;
    terminal.emit("resize");
    expect(terminal.written[0]).toBe("\r\x1b[J");
  });

  it("is cleared by a signal, and lets other listeners end the process", () => {
    const { terminal, line } = aLine();
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    const theirs = () => {};
    process.on("SIGINT", theirs);
    line.report(1, 10, PHASES.compiling);
    vi.advanceTimersByTime(200);
    // What a signal would call first, and nothing of the test's own runner.
    const [ours] = process.listeners("SIGINT");
    ours?.("SIGINT");
    expect(terminal.written.at(-1)).toBe("\r\x1b[K\x1b[?25h");
    expect(kill).not.toHaveBeenCalled();
    terminal.written = [];
    line.report(2, 10, PHASES.compiling);
    vi.advanceTimersByTime(500);
    expect(terminal.written).toEqual([]);
    for (const other of process.listeners("SIGINT")) {
      if (other !== ours) process.off("SIGINT", other);
    }
    ours?.("SIGINT");
    expect(kill.mock.calls).toEqual([[process.pid, "SIGINT"]]);
    expect(process.listeners("SIGINT")).not.toContain(ours);
  });
});
