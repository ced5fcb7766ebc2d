import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { attemptSync } from "../files/disk.js";
import { fileHeaders } from "./file-headers.js";

/**
 * The file that `--changes` names. It gets a line for each file before that file is written or deleted, so that no change
 * is missed if the export is killed. Lines are only added: whoever uploads the files deletes it afterwards.
 */
export class ChangesFile {
  readonly #path: string;
  readonly #handle: number;

  /** @throws StoreWriteError */
  constructor(path: string) {
    this.#path = path;
    this.#handle = attemptSync(path, () => openSync(path, "a"));
  }

  written(path: string): void {
    this.#add({ action: "write", path, ...fileHeaders(path) });
  }

  deleted(path: string): void {
    this.#add({ action: "delete", path });
  }

  #add(line: object): void {
    attemptSync(this.#path, () => writeSync(this.#handle, `${JSON.stringify(line)}\n`));
  }

  close(): void {
    attemptSync(this.#path, () => {
      try {
        fsyncSync(this.#handle);
      } finally {
        closeSync(this.#handle);
      }
    });
  }
}
