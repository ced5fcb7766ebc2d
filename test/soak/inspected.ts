import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { type ServedProcess, type ServeStart, serveProcess } from "../cli/served.js";

/** What a server tells of itself. Bytes; milliseconds. */
export interface Inspection {
  /** After all garbage is collected. */
  readonly heap: number;
  /** Beside the heap: the index lies there. */
  readonly buffers: number;
  readonly resident: number;
  readonly residentMax: number;
  /** How long the event loop was not free since the last inspection. */
  readonly stallMax: number;
  readonly stallP99: number;
  /** Time of the processor since the start. */
  readonly cpu: number;
}

const HOOK = `
  import { monitorEventLoopDelay } from "node:perf_hooks";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread) {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    process.on("message", ({ isAfterCollection }) => {
      if (isAfterCollection) for (let i = 0; i < 3; i += 1) gc();
      const { heapUsed, arrayBuffers, external, rss } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      process.send({
        heap: heapUsed,
        buffers: external + arrayBuffers,
        resident: rss,
        residentMax: process.resourceUsage().maxRSS * 1024,
        stallMax: Math.max(0, delays.max / 1e6 - 5),
        stallP99: Math.max(0, delays.percentile(99) / 1e6 - 5),
        cpu: (user + system) / 1e3,
      });
      delays.reset();
    });
    process.channel.unref();
  }`;

export interface InspectedServer extends ServedProcess {
  inspect(options?: { isAfterCollection?: boolean }): Promise<Inspection>;
  /** Open files, connections among them. */
  openFiles(): number;
  /** Connections that are open, also half. */
  openSockets(): number;
}

/** Starts the real command so that it can be looked into. */
export async function inspectedServer(
  store: string,
  { args = [], node = [], shell = "" }: ServeStart = {},
): Promise<InspectedServer & { readonly host: string; readonly port: number }> {
  const hook = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(HOOK)}`];
  const served = serveProcess(store, { args, node: [...hook, ...node], shell, hasChannel: true });
  const { child, pid } = served;
  const { host, port } = await served.place;
  const openFiles = () => readdirSync(`/proc/${pid}/fd`).length;
  return {
    ...served,
    host,
    port,
    openFiles,
    inspect: async ({ isAfterCollection = false } = {}) => {
      const told = once(child, "message");
      child.send({ isAfterCollection });
      return ((await told) as [Inspection])[0];
    },
    openSockets: () => socketsOf(pid),
  };
}

/** A half-closed connection is one too: a socket is there until it is closed. */
function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;
}
