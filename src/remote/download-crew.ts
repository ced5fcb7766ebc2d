import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { StoreWriteError } from "../files/disk.js";
import type { StoredFile } from "../store/format.js";
import { downloadFile, MissingFileError } from "./download.js";
import type { DownloadFailure, DownloadReply, DownloadShare } from "./download-worker.js";
import { RemoteError, RemoteSnapshotError } from "./errors.js";
import { type OriginAddress, originAt } from "./origin.js";
import { inParallel } from "./retrying.js";

/** How many files are downloaded at the same time, by all threads together. */
const DOWNLOADED_AT_ONCE = 16;
/**
 * One thread receives, hashes and writes about 200 MB in a second, so a fast network needs several. Below this many
 * bytes for each, starting threads takes longer than they save.
 */
const THREAD_BYTES = 64 * 1024 * 1024;
const THREADS_MAX = 4;

/**
 * Downloads files into a local store.
 * @param onFile called with the path of each file that is in the store
 * @param threadBytes the fewest bytes for a thread of its own
 * @throws as `downloadFile` does; the signal's reason
 */
export async function downloadFiles(
  source: OriginAddress,
  store: string,
  files: readonly StoredFile[],
  signal: AbortSignal | undefined,
  onFile: (path: string) => void,
  threadBytes = THREAD_BYTES,
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const most = Math.min(THREADS_MAX, availableParallelism());
  const threads = Math.min(most, Math.floor(total / threadBytes));
  if (threads < 2) {
    const origin = originAt(source);
    await inParallel(files, DOWNLOADED_AT_ONCE, async (file) => {
      await downloadFile(origin, store, file, signal);
      onFile(file.file);
    });
    return;
  }
  const bySize = files.toSorted((a, b) => b.bytes - a.bytes);
  const atOnce = Math.ceil(DOWNLOADED_AT_ONCE / threads);
  const workers = Array.from({ length: threads }, (_, thread) => {
    const share = bySize.filter((_file, place) => place % threads === thread);
    const workerData: DownloadShare = { source, store, files: share, atOnce };
    return new Worker(new URL("./download-worker.js", import.meta.url), { workerData });
  });
  const stop = () => {
    for (const worker of workers) void worker.terminate();
  };
  signal?.addEventListener("abort", stop);
  try {
    await Promise.all(workers.map((worker) => finished(worker, onFile)));
  } finally {
    signal?.removeEventListener("abort", stop);
    await Promise.all(workers.map((worker) => worker.terminate()));
    signal?.throwIfAborted();
  }
}

async function finished(worker: Worker, onFile: (path: string) => void): Promise<void> {
  let failure: Error | null = null;
  worker.on("message", (reply: DownloadReply) => {
    if ("file" in reply) onFile(reply.file);
    else failure = revived(reply.failure);
  });
  const [code] = await once(worker, "exit");
  if (failure !== null) throw failure;
  if (code !== 0) throw new Error(`a thread that downloads files ended with code ${code}`);
}

function revived({ name, isMissing, message }: DownloadFailure): Error {
  if (isMissing) return new MissingFileError(message);
  const classes = [RemoteError, RemoteSnapshotError, StoreWriteError];
  const found = classes.find((one) => new one("").name === name);
  return found === undefined ? new Error(message) : new found(message);
}
