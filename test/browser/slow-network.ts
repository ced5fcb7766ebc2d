import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as later } from "node:timers/promises";

/** A slow phone's network of 1.6 Mbit/s: milliseconds that a request travels, and bytes a second for all answers. */
const SLOW_NETWORK = { latency: 150, bytesPerSecond: 200_000 };
/** Milliseconds between two steps of the answers' bytes. */
const STEP = 10;

export interface SlowNetwork {
  /** The address of the slow way to the server, without a slash at its end. */
  readonly url: string;
  /** Bytes of answers so far. */
  readonly bytes: () => number;
  close(): Promise<void>;
}

/**
 * Puts a slow network before a server. Unlike the one of the browser's developer tools, it slows down what workers
 * load, too. A new connection waits for one more latency.
 * @param server its address, without a slash at its end
 */
export async function slowNetwork(server: string): Promise<SlowNetwork> {
  const { hostname, port } = new URL(server);
  const open = new Set<Socket>();
  let bytes = 0;
  /** When the line has sent all that it was given. */
  let free = 0;
  /** Passes the bytes of answers on. @throws Error if either side leaves */
  const pass = async (origin: Socket, client: Socket) => {
    for await (const part of origin as AsyncIterable<Buffer>) {
      const size = (SLOW_NETWORK.bytesPerSecond * STEP) / 1_000;
      for (let at = 0; at < part.length; at += size) {
        const sent = part.subarray(at, at + size);
        bytes += sent.length;
        free =
          Math.max(free, performance.now()) + (1_000 * sent.length) / SLOW_NETWORK.bytesPerSecond;
        await later(free - performance.now());
        if (client.destroyed) return;
        client.write(sent);
      }
    }
  };
  const proxy = createServer({ noDelay: true }, async (client) => {
    const origin = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [client, origin]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
    }
    client.on("close", () => origin.destroy());
    const opened = performance.now() + SLOW_NETWORK.latency;
    client.on("data", async (request) => {
      const wait = Math.max(opened - performance.now(), 0) + SLOW_NETWORK.latency;
      await later(wait);
      if (!origin.destroyed) origin.write(request);
    });
    await pass(origin, client).catch(() => undefined);
    client.end();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: async () => {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
