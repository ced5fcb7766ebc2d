import { createServer, type Server, type Socket } from "node:net";

/*
 * A short-lived process that copies a listening socket. Threads of a process share its descriptors, so a thread that
 * ends would close the socket of all others; a socket that comes back from another process has a descriptor of its own.
 * Connections that arrive here meanwhile are handed on.
 */

/** The descriptor of the socket to copy, after those of the standard streams and of the channel. */
const SOCKET_DESCRIPTOR = 4;

/** The messages to the parent, each with a handle: the copy, or a connection. */
export type CopyMessage = "socket" | "connection";

const send = (message: CopyMessage, handle: Server | Socket, then: () => void = () => {}) => {
  process.send?.(message, handle, {}, then);
};
const server = createServer({ pauseOnConnect: true }, (connection) =>
  send("connection", connection),
);
process.once("disconnect", () => process.exit());
server.listen({ fd: SOCKET_DESCRIPTOR }, () => {
  send("socket", server, () => {
    // Closed once all connections have been handed on.
    server.close(() => process.exit());
  });
});
