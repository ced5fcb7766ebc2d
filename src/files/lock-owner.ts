import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { z } from "zod";

/** The process that holds a lock. */
export const LockOwner = z.object({
  /** For people, and for systems without /proc. */
  host: z.string().regex(/^[\w.-]{1,255}$/),
  pid: z.int32().positive(),
  /**
   * Names the boot of the machine and the namespaces in which `pid` and `started` mean something. Null
   * where a Linux system hides them: then nobody else can tell whether the process is alive.
   */
  machine: z.string().nullable(),
  /** When the process started, in clock ticks since the boot; null where the system does not say. */
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

/** Whether a lock's owner has certainly died; false where this process cannot tell. */
export function hasDied(owner: LockOwner): boolean {
  if (!isNear(owner)) return false;
  if (!isThere(owner.pid)) return true;
  const { state, started } = found(owner.pid);
  // A killed process stays as a zombie until its parent looks, which some containers' first processes never do.
  if (state === "Z") return true;
  return started !== null && owner.started !== null && started !== owner.started;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function machineName(): string | null {
  // Other systems have no namespaces: the host's name is enough there.
  if (process.platform !== "linux") return "";
  const [boot, pids] = [bootId(), namespace("pid")];
  // Before Linux 5.6 there is one time for all.
  return boot === null || pids === null ? null : `${boot} ${pids} ${namespace("time")}`;
}

/** Names the time since the machine's last boot: null where the system does not say. */
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

/** What /proc says of a process; nulls where it says nothing. */
function found(pid: number): { readonly state: string | null; readonly started: string | null } {
  try {
    // A new namespace may still see its parent's /proc, in which the same number is another process.
    if (readlinkSync("/proc/self") === String(process.pid)) {
      const [, fields = ""] = /\) ([^)]*)$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const [state = null, ...rest] = fields.split(" ");
      return { state, started: rest[18] ?? null };
    }
  } catch {
    // Not a Linux system, or the process is hidden or has just ended.
  }
  return { state: null, started: null };
}
