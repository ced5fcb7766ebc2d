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
  /** For a client to read what waits for it, or `readBytes` of that: cuts who reads a byte at a time. Beyond: it ends. */
  readMs: 20_000,
  /** Five thousand a second: a telephone at the edge of its network has as much. */
  readBytes: 100_000,
  /**
   * Requests of a connection that wait behind one another, as a pipelining client sends them: benchmarks send 16 at a
   * time, browsers one. Beyond: the connection ends when these are answered.
   */
  waitingMax: 32,
  /** For who was refused to take that in: bytes that it still sends would else wipe it out. Beyond: it is cut. */
  lingerMs: 1_000,
  /**
   * Connections that wait for the process to take them; the system may allow fewer. Beyond: the client's system
   * tries again, a second later, then three, then seven.
   */
  backlogMax: 4_096,
  /** Connections of a process: each takes some 20 kB. Beyond: 503. */
  connectionsMax: 10_000,
  /** Connections above that which are told so at a time. Beyond: cut. */
  refusedMax: 500,
  /** For running answers when the server ends. Beyond: they are cut. */
  drainMs: 4_000,
} as const;

/** What the loading of a snapshot may take. */
export const LOAD_LIMITS = {
  /**
   * Milliseconds for each step of a loading, and more for each megabyte of columns. A directory of 100,000 listings has
   * 120 MB and takes some seconds; a busy machine may need twenty times as long. Beyond: the loading is ended, the
   * snapshot refused.
   */
  stepMs: 60_000,
  stepMsPerMegabyte: 1_000,
  /** However many megabytes a manifest claims. */
  stepMsMax: 3_600_000,
} as const;

/** The same, with other figures. */
export type ServerLimits = { readonly [name in keyof typeof SERVER_LIMITS]: number };

/** Megabytes of answers that each process keeps where it is not said. */
export const CACHE_MB = 64;
