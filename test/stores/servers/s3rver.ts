import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Store, storeAt } from "./access.js";
import { npmModules } from "./installed.js";
import { answers, freePorts, LOOPBACK, startProcess, untilReady } from "./processes.js";

/** These are built into s3rver. */
const KEYS = { accessKey: "S3RVER", secretKey: "S3RVER" };

/**
 * Starts s3rver, which silently ignores conditions of PUTs.
 * @throws Unavailable if this machine cannot have it
 */
export async function startS3rver(): Promise<Store> {
  const command = join(await npmModules(), "s3rver/bin/s3rver.js");
  const data = await mkdtemp(join(tmpdir(), "s3rver-"));
  const [port = 0] = await freePorts(1);
  const place = [
    "--directory",
    join(data, "objects"),
    "--address",
    LOOPBACK,
    "--port",
    String(port),
  ];
  const words = [process.execPath, command, ...place, "--no-vhost-buckets", "--silent"];
  const server = startProcess(words, { log: join(data, "out") });
  const stop = async () => {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  };
  try {
    const endpoint = `http://${LOOPBACK}:${port}`;
    await untilReady(() => answers(endpoint), { processes: [server], seconds: 30 });
    return storeAt({ endpoint, ...KEYS }, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}
