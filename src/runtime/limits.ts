/** What a client may take of the server. Times in milliseconds. */
export const SERVER_LIMITS = {
  /** Characters of a request target; the longest legal one is a search with every filter. Beyond: 414. */
  targetMax: 8_192,
  /** Bytes of a request's head; a browser's is about 1 kB. Beyond: 431. */
  headBytesMax: 16_384,
  /** Headers of a request; a browser behind two proxies sends about 30. Beyond: 431. */
  headersMax: 100,
  /** Until a request's head is there: cuts those who send it a byte at a time. Beyond: 408. */
  headMs: 5_000,
  /** Until the whole request is there, though none may have a body. Beyond: 408. */
  requestMs: 10_000,
  /** How often the two above are looked after. */
  checkingMs: 1_000,
  /** Between two requests of a connection. Beyond: it ends. */
  keepAliveMs: 5_000,
  /** Of a connection without traffic, a reader that does not read included. Beyond: it ends. */
  idleMs: 10_000,
  /** Connections of a process: each takes some 20 kB. Beyond: refused. */
  connectionsMax: 10_000,
  /** For running answers when the server ends. Beyond: they are cut. */
  drainMs: 4_000,
} as const;
