import { spawn } from "node:child_process";
import { type Server, Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { CopyMessage } from "./socket-copy.js";

/** Milliseconds within which the other process hands the socket over. It takes about a tenth of a second. */
const COPIED_MS = 30_000;

/**
 * Copies a listening socket of this process, so that the copy has a descriptor of its own.
 * @param onConnection called with each connection that arrives meanwhile
 * @throws Error if the process that copies it fails
 */
export function copiedSocket(
  descriptor: number,
  onConnection: (connection: Socket) => void,
): Promise<Server> {
  const script = fileURLToPath(new URL("./socket-copy.js", import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "ignore", "inherit", "ipc", descriptor],
    timeout: COPIED_MS,
  });
  return new Promise((resolve, reject) => {
    child.on("message", (message: CopyMessage, handle) => {
      if (message === "socket") resolve(handle as Server);
      else if (handle instanceof Socket) onConnection(handle);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the socket was not copied: ${code}`)));
  });
}
