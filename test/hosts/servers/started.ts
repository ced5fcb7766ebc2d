import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  answers,
  freePorts,
  LOOPBACK,
  startProcess,
  untilReady,
} from "../../stores/servers/processes.js";

/** A web server that serves a folder. */
export interface HostServer {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** How a server's process is started. @param place a folder for its own files */
type Command = (
  port: number,
  place: string,
) => Promise<{ words: readonly string[]; env?: NodeJS.ProcessEnv }>;

/** Starts a server's process on a free port of the loopback. */
export async function startServer(command: Command): Promise<HostServer> {
  const place = await mkdtemp(join(tmpdir(), "host-"));
  const [port = 0] = await freePorts(1);
  const { words, env = {} } = await command(port, place);
  const server = startProcess(words, { env, log: join(place, "log") });
  const stop = async () => {
    await server.stop();
    await rm(place, { recursive: true, force: true });
  };
  try {
    const url = `http://${LOOPBACK}:${port}/`;
    await untilReady(() => answers(url), { processes: [server], seconds: 30 });
    return { host: LOOPBACK, port, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Serves with a function of this process, on a free port of the loopback. */
export async function startListener(
  listener: (...message: Parameters<RequestListener>) => Promise<void>,
): Promise<HostServer> {
  const server = createServer((req, res) => {
    listener(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
  }).listen(0, LOOPBACK);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close").catch(() => {});
  };
  return { host: LOOPBACK, port, stop };
}
