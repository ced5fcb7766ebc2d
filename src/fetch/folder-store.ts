import { join } from "node:path";
import { openRegular, readRegular } from "../files/regular.js";
import type { FetchStore } from "./store.js";

/** The store in a local folder. @param folder the store's folder */
export function folderStore(folder: string): FetchStore {
  return async (path, range) => {
    const place = join(folder, path);
    if (range === undefined) return new Uint8Array(await readRegular(place));
    const file = await openRegular(place);
    try {
      const bytes = new Uint8Array(range.length);
      let filled = 0;
      for (let read = 1; read > 0 && filled < bytes.length; filled += read) {
        const left = bytes.length - filled;
        ({ bytesRead: read } = await file.read(bytes, filled, left, range.offset + filled));
      }
      return bytes.subarray(0, filled);
    } finally {
      await file.close();
    }
  };
}
