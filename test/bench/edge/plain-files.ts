import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import sirv from "sirv";

/** A web server with a folder's files as they are. */
export interface PlainFiles {
  readonly url: string;
  /** All bytes that it has sent, also those of heads. */
  sent(): number;
  stop(): Promise<void>;
}

export async function servePlainFiles(folder: string): Promise<PlainFiles> {
  const answer = sirv(folder);
  const sockets: Socket[] = [];
  const server = createServer((request, response) =>
    answer(request, response, () => void response.writeHead(404).end()),
  );
  server.on("connection", (socket) => sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    sent: () => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
