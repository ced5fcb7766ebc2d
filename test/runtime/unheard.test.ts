import { expect, it, vi } from "vitest";
import { StoreWatcher } from "../../src/runtime/reload.js";
import { serve } from "../../src/runtime/server.js";
import { temporaryFolder } from "../fixtures.js";

vi.mock("../../src/runtime/listener.js", () => {
  throw new Error("too many open files");
});

it("where nothing can listen, nothing goes on following the store: the process ends", async () => {
  const close = vi.spyOn(StoreWatcher.prototype, "close");
  const [store, host] = [await temporaryFolder(), "127.0.0.1"];
  await expect(serve({ store, host, port: 0, log: () => {} })).rejects.toThrow();
  expect(close).toHaveBeenCalledTimes(1);
});
