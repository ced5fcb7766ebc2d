import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Store, storeAt } from "./access.js";
import { debianRoot } from "./installed.js";
import { answers, freePorts, LOOPBACK, startProcess, untilReady } from "./processes.js";

const PACKAGES = ["swift", "swift-proxy", "swift-account", "swift-container", "swift-object"];
const SCRIPT = fileURLToPath(new URL("swift-all-in-one.py", import.meta.url));
const KEYS = { accessKey: "test:tester", secretKey: "testing" };

/**
 * Starts OpenStack Swift with its S3 protocol, which refuses conditional PUTs (501).
 * @throws Unavailable if this machine cannot have it
 */
export async function startSwift(): Promise<Store> {
  const root = await debianRoot("swift", PACKAGES);
  const data = await mkdtemp(join(tmpdir(), "swift-"));
  const [port = 0] = await freePorts(1);
  const env = {
    LD_LIBRARY_PATH: join(root, "usr/lib/x86_64-linux-gnu"),
    PYTHONPATH: join(root, "usr/lib/python3/dist-packages"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const words = ["/usr/bin/python3", SCRIPT, data, String(port)];
  const server = startProcess(words, { env, log: join(data, "out") });
  const stop = async () => {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  };
  try {
    const endpoint = `http://${LOOPBACK}:${port}`;
    await untilReady(() => answers(endpoint), { processes: [server], seconds: 60 });
    return storeAt({ endpoint, ...KEYS }, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}
