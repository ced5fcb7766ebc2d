import { readFileSync } from "node:fs";

/** The most memory that this process has held, in bytes; what its parent held when it was forked does not count. */
export function peakBytes(): number {
  if (process.platform !== "linux") return process.memoryUsage.rss();
  const status = readFileSync("/proc/self/status", "utf8");
  const [, kilobytes = "0"] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
  return Number(kilobytes) * 1024;
}
