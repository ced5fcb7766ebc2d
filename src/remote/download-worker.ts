import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../files/errors.js";
import { downloadFile, MissingFileError } from "./download.js";
import type { DownloadReply, DownloadShare } from "./download-crew.js";
import { originAt } from "./origin.js";
import { inParallel } from "./retrying.js";

const { address, store, files, atOnce }: DownloadShare = workerData;
const reply = (message: DownloadReply) => parentPort?.postMessage(message);

try {
  const origin = originAt(address);
  await inParallel(files, atOnce, async (file) => {
    await downloadFile(origin, store, file);
    reply({ file: file.file });
  });
} catch (error) {
  const name = error instanceof Error ? error.name : "";
  const isMissing = error instanceof MissingFileError;
  reply({ failure: { name, isMissing, message: messageOf(error) } });
}
