import { fetchFile, isComputed, type Progress, ROOT, SEARCH_SCRIPT } from "./tree.js";

/** A read that a page asks its worker for. */
export interface WorkerRead {
  readonly id: number;
  /** Relative to the root. */
  readonly address: string;
  readonly headers: Record<string, string>;
}

/** The worker's answer. */
export interface WorkerAnswer {
  readonly id: number;
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: ArrayBuffer;
}

/** Statuses whose responses cannot have a body. */
const NO_BODY = [204, 304];

/** The worker that searches in a tree. It starts at the first read. */
class SearchWorker {
  readonly #tell: (progress: Progress) => void;
  readonly #open = new Map<number, (given: WorkerAnswer | Error) => void>();
  #worker: Worker | null = null;
  #last = 0;

  constructor(tell: (progress: Progress) => void) {
    this.#tell = tell;
  }

  /** Rejects if the worker's script cannot be loaded, or with the signal's reason. */
  ask(address: string, { headers, signal }: RequestInit): Promise<Response> {
    this.#last += 1;
    const asked: WorkerRead = { id: this.#last, address, headers: headersIn(headers) };
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => {
        this.#open.delete(asked.id);
        reject(signal.reason);
      });
      this.#open.set(asked.id, (given) => {
        if (given instanceof Error) reject(given);
        else resolve(responseOf(given));
      });
      this.#worker ??= this.#start();
      this.#worker.postMessage(asked);
    });
  }

  #start(): Worker {
    const worker = new Worker(SEARCH_SCRIPT ?? "");
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer | Progress>) => {
      if ("total" in data) {
        // Otherwise it replaces a snapshot that still answers.
        if (this.#open.size > 0) this.#tell(data);
      } else {
        this.#open.get(data.id)?.(data);
        this.#open.delete(data.id);
      }
    });
    worker.addEventListener("error", ({ message }) => {
      worker.terminate();
      this.#worker = null;
      for (const end of this.#open.values()) end(new Error(message));
      this.#open.clear();
    });
    return worker;
  }
}

function headersIn(headers: RequestInit["headers"]): WorkerRead["headers"] {
  return Object.fromEntries(new Headers(headers));
}

function responseOf({ status, headers, body }: WorkerAnswer): Response {
  return new Response(NO_BODY.includes(status) ? null : body, { status, headers });
}

/**
 * Makes a function like `fetch` for reads of the API. In a tree of files, a worker answers those that are no files.
 * @param tell receives the progress of the files that searches need
 */
export function treeFetch(tell: (progress: Progress) => void): typeof globalThis.fetch {
  const worker = new SearchWorker(tell);
  return (url, init = {}) => {
    const address = new URL(String(url), ROOT).href.slice(ROOT.length);
    return isComputed(address) ? worker.ask(address, init) : fetchFile(address, init);
  };
}
