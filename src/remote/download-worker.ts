import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../files/errors.js";
import type { StoredFile } from "../store/format.js";
import { downloadFile, MissingFileError } from "./download.js";
import { type OriginAddress, originAt } from "./origin.js";
import { inParallel } from "./retrying.js";

/** The files that one thread downloads. */
export interface DownloadShare {
  readonly source: OriginAddress;
  readonly store: string;
  readonly files: readonly StoredFile[];
  /** How many of them at the same time. */
  readonly atOnce: number;
}

/** Why a thread has ended early. */
export interface DownloadFailure {
  readonly name: string;
  readonly isMissing: boolean;
  readonly message: string;
}

/** A thread's message: a file is in the store, or the thread has failed. */
export type DownloadReply = { readonly file: string } | { readonly failure: DownloadFailure };

const { source, store, files, atOnce }: DownloadShare = workerData;
const reply = (message: DownloadReply) => parentPort?.postMessage(message);

try {
  const origin = originAt(source);
  await inParallel(files, atOnce, async (file) => {
    await downloadFile(origin, store, file);
    reply({ file: file.file });
  });
} catch (error) {
  const name = error instanceof Error ? error.name : "";
  const isMissing = error instanceof MissingFileError;
  reply({ failure: { name, isMissing, message: messageOf(error) } });
}
