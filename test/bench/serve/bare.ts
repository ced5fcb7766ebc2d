import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { childInput } from "../engine/child.js";

/** What a server can do that does nothing: it sends the same answer to every request. */
export interface BareInput {
  readonly status: number;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Bytes of the body. */
  readonly bytes: number;
}

const { status, headers, bytes } = childInput<BareInput>();
const body = Buffer.alloc(bytes, "x");
const server = createServer((_, res) => {
  res.writeHead(status, headers as string[]);
  res.end(body);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
