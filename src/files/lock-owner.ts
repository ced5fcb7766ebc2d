import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";
import { hasCode } from "./errors.js";

/** The process that holds a lock. */
export const LockOwner = z.object({
  /** For people, and for systems without /proc. */
  host: z.string().regex(/^[\w.-]{1,255}$/),
  pid: z.int32().positive(),
  /**
   * Names the boot of the machine and the namespaces in which `pid` and `started` are valid. Null if a
   * Linux system hides them: then no other process can tell whether this one is alive.
   */
  machine: z.string().nullable(),
  /** When the process started, in clock ticks since the boot; null if the system does not report it. */
  started: z.string().nullable(),
});
export type LockOwner = z.infer<typeof LockOwner>;

export function thisProcess(): LockOwner {
  const { pid } = process;
  const host =
    hostname()
      .replace(/[^\w.-]/g, "_")
      .slice(0, 255) || "localhost";
  return { host, pid, machine: machineName(), started: found(pid).started };
}

/** Whether this process can tell if a lock's owner is alive: both run on one machine, in the same namespaces. */
export function isNear({ host, machine }: LockOwner): boolean {
  const here = thisProcess();
  return machine !== null && machine === here.machine && host === here.host;
}

/** Whether a lock's owner has certainly died; false if this process cannot tell. */
export function hasDied(owner: LockOwner): boolean {
  if (!isNear(owner)) return false;
  if (!isRunning(owner.pid)) return true;
  const { state, started } = found(owner.pid);
  // A killed process stays a zombie until its parent reaps it, and in some containers the first process
  // never does.
  if (state === "Z") return true;
  return started !== null && owner.started !== null && started !== owner.started;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, ["EPERM"]);
  }
}

function machineName(): string | null {
  // Other systems have no namespaces, so the host's name is enough there.
  if (process.platform !== "linux") return "";
  const boot = bootId();
  const pids = namespace("pid");
  // Before Linux 5.6 there are no time namespaces, so that part is "null".
  return boot === null || pids === null ? null : `${boot} ${pids} ${namespace("time")}`;
}

/** Identifies the machine's current boot; null if the system does not report it. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

function namespace(kind: string): string | null {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return null;
  }
}

/** Reads the state of a process from /proc; nulls if /proc does not have it. */
function found(pid: number): { readonly state: string | null; readonly started: string | null } {
  try {
    // A new namespace may still see the /proc of its parent, where the same number belongs to another
    // process.
    if (readlinkSync("/proc/self") === String(process.pid)) {
      const [, fields = ""] = /\) ([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const [state = null, ...rest] = fields.split(" ");
      return { state, started: rest[18] ?? null };
    }
  } catch {
    // This is not a Linux system, or the process is hidden or has just ended.
  }
  return { state: null, started: null };
}
