/** Limits on what a client may use. Times in milliseconds. "Beyond" names the consequence of exceeding a limit. */
export const SERVER_LIMITS = {
  /** Characters of a request target. The longest valid one is a search with every filter. Beyond: 414. */
  targetMax: 8_192,
  /** Bytes of a request's head. A browser sends about 1 kB. Beyond: 431. */
  headBytesMax: 16_384,
  /** Headers of a request. A browser behind two proxies sends about 30. Beyond: 431. */
  headersMax: 100,
  /** Time to receive a request's head. Stops clients that send one byte at a time. Beyond: 408. */
  headMs: 5_000,
  /** Time to receive the whole request, even though a read must not have a body. Beyond: 408. */
  requestMs: 10_000,
  /** Bodies that a process reads at the same time, of up to 256 kB each. Beyond: 503. */
  bodiesMax: 250,
  /** Members and elements of a body, in all its objects and lists. The largest list has 1,000 hosts. Beyond: 400. */
  bodyValuesMax: 2_000,
  /** Levels of objects and lists in a body. A message of JSON-RPC has about five. Beyond: 400. */
  bodyDepthMax: 32,
  /** Interval at which the server checks `headMs` and `requestMs`. */
  checkingMs: 1_000,
  /** Time between two requests of a connection. Beyond: the connection ends. */
  keepAliveMs: 5_000,
  /**
   * Time without traffic on a connection, even if a client does not read its answer. It does not count while the server
   * still makes an answer. Beyond: the connection ends. A proxy in front cuts clients that read a little now and then.
   */
  idleMs: 10_000,
  /**
   * Requests under way on one connection, as a pipelining client sends them. Benchmarks send 16 at a time, browsers
   * one. At this number the server answers them and ends the connection.
   */
  waitingMax: 32,
  /**
   * Time for a refused client to read the refusal. A reset while the client still sends would discard it. Beyond: the
   * connection is cut.
   */
  lingerMs: 1_000,
  /**
   * Connections that wait for the process to accept them; the system may allow fewer. Beyond: the client's system
   * retries after 1, 3 and 7 seconds.
   */
  backlogMax: 4_096,
  /** Connections of a process. Each takes about 20 kB. Beyond: 503. */
  connectionsMax: 10_000,
  /** Connections above `connectionsMax` that get the 503 at the same time. Beyond: they are cut. */
  refusedMax: 500,
  /** Time for running answers when the server shuts down. Beyond: they are cut. */
  drainMs: 4_000,
} as const;

/** Limits on loading a snapshot. */
export const LOAD_LIMITS = {
  /**
   * Milliseconds for each step of loading, plus milliseconds for each row of the tables. A directory of 100,000
   * listings loads in a few seconds. A busy machine may need twenty times as long. Beyond: the load stops, and the
   * server rejects the snapshot.
   */
  stepMs: 60_000,
  stepMsPerRow: 1,
  /** The upper limit for one step, however many rows a manifest claims. */
  stepMsMax: 3_600_000,
  /**
   * Listings up to which the answering thread loads a snapshot itself. No step then blocks answers for more than 50 ms
   * once the program is warm. Beyond: another thread loads it.
   */
  aloneRowsMax: 5_000,
  /** Listings from which on the index is kept in a file. A smaller one is made in less than a tenth of a second. */
  indexRowsMin: 2_000,
  /**
   * Bytes of summaries and scans up to which they are in memory: those of some 20,000 listings. Beyond: they are read
   * from the index file, which makes a search a quarter dearer.
   */
  outsideBytesMax: 16 * 1024 * 1024,
  /**
   * Bytes of memory that loading takes for each row, at most: 5,300 were measured with 100,000. Beyond what is free:
   * the server rejects the snapshot.
   */
  bytesPerRow: 5_500,
} as const;

/** The same limits with other numbers. */
export type ServerLimits = { readonly [name in keyof typeof SERVER_LIMITS]: number };
