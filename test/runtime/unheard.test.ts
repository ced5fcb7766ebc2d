import { expect, it, vi } from "vitest";
import { serve } from "../../src/replica/serve.js";
import { Repeating } from "../../src/runtime/snapshot/repeating.js";
import { temporaryFolder } from "../fixtures.js";

vi.mock("../../src/runtime/http/listener.js", () => ({
  openListener: () => Promise.reject(new Error("too many open files")),
}));

it("a server that cannot listen stops following the store, so that its process ends", async () => {
  const close = vi.spyOn(Repeating.prototype, "close");
  const [store, host] = [await temporaryFolder(), "127.0.0.1"];
  await expect(serve(store, { host, port: 0, log: () => {} })).rejects.toThrow(
    "too many open files",
  );
  expect(close).toHaveBeenCalledTimes(1);
});
