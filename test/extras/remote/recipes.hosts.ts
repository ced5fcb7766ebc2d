import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { aPublishedDirectory, temporaryFolder } from "../../fixtures.js";
import { startServer } from "../../hosts/servers/started.js";
import { canUnshare, readyOf, startUnit } from "../../hosts/servers/unit.js";
import { builtStore } from "../../store/trees.js";

it("a unit that mirrors must write to its store, as that for replicas does", async (context) => {
  if (!canUnshare) return context.skip("no namespaces of mounts: unshare needs root");
  const { store, result } = await builtStore(aPublishedDirectory());
  const origin = await startServer(async (port) => ({
    words: ["python3", "-m", "http.server", "--bind", "127.0.0.1", "-d", store, `${port}`],
  }));
  onTestFinished(origin.stop);
  const address = `http://${origin.host}:${origin.port}`;
  const started = async (...given: Parameters<typeof startUnit>) => {
    const server = await startUnit(...given);
    onTestFinished(server.stop);
    return server;
  };
  const state = await temporaryFolder();
  const mirroring = [address, "--mirror", "--cache-dir", join(state, "snapshots")];
  const wrong = await started("crawldex.service", state, "", mirroring);
  const trouble = "the store cannot be written (EROFS)";
  expect(await readyOf(wrong)).toMatchObject({ status: 503, ready: false, trouble });
  const replica = await started("crawldex-replica.service", await temporaryFolder(), address);
  await expect
    .poll(() => readyOf(replica))
    .toMatchObject({ status: 200, ready: true, snapshot: result.id });
});
