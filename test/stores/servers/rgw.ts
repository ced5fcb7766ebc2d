import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Store, storeAt } from "./access.js";
import { debianRoot } from "./installed.js";
import {
  answers,
  freePorts,
  LOOPBACK,
  type Process,
  startProcess,
  untilReady,
} from "./processes.js";

const run = promisify(execFile);
const PACKAGES = ["radosgw", "ceph-mon", "ceph-osd", "ceph-common"];
const KEYS = { accessKey: "AKIATEST", secretKey: "secretsecret" };
const LIBRARIES = "usr/lib/x86_64-linux-gnu";
const GIB = 2 ** 30;
/**
 * On a busy machine Ceph's daemon or command sometimes ends at once, with "wrong fsid", before it knows the monitor.
 */
const STARTS_MAX = 4;

/** Ceph's S3 gateway, which can be away for a while. */
export interface Rgw extends Store {
  /** Ends the gateway, but none of its objects. */
  leave(): Promise<void>;
  /** Starts it again at the same address. Resolves once it answers. */
  comeBack(): Promise<void>;
}

/**
 * Starts Ceph's S3 gateway with one monitor and one storage daemon, whose objects lie in memory.
 * @param bytes how much the objects may take in memory; none of it is taken before it is needed
 * @throws Unavailable if this machine cannot have it
 */
export async function startRgw({ bytes = 2 * GIB } = {}): Promise<Rgw> {
  const root = await debianRoot("ceph", PACKAGES);
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOnce(root, bytes);
    } catch (error) {
      if (starts === STARTS_MAX) throw error;
      process.stderr.write(`Ceph RGW is started again: ${String(error).split("\n")[0]}\n`);
    }
  }
}

async function startOnce(root: string, bytes: number): Promise<Rgw> {
  const data = await mkdtemp(join(tmpdir(), "rgw-"));
  const processes: Process[] = [];
  const stop = async () => {
    for (const one of processes.reverse()) await one.stop();
    await rm(data, { recursive: true, force: true });
  };
  try {
    const { endpoint, ...gateway } = await startAll({ root, data, bytes, processes });
    return { ...storeAt({ endpoint, ...KEYS }, stop), ...gateway };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Cluster {
  readonly root: string;
  readonly data: string;
  readonly bytes: number;
  /** Those that run already. */
  readonly processes: Process[];
}

async function startAll({ root, data, bytes, processes }: Cluster) {
  for (const name of ["mon", "osd", "run", "rgw"]) await mkdir(join(data, name));
  const [monitor = 0, gateway = 0] = await freePorts(2);
  const address = `v1:${LOOPBACK}:${monitor}`;
  const endpoint = `http://${LOOPBACK}:${gateway}`;
  const cluster = randomUUID();
  const osd = randomUUID();
  const config = configuration({ root, data, cluster, address, gateway, bytes });
  await writeFile(join(data, "ceph.conf"), config);
  const env = environmentOf(root, data);
  const tool = (name: string) => join(root, "usr/bin", name);
  const call = (name: string, ...args: string[]) =>
    run(tool(name), args, { env: { ...process.env, ...env }, timeout: 60_000 });
  const ceph = (...args: string[]) =>
    run("/usr/bin/python3", [tool("ceph"), ...args], {
      env: { ...process.env, ...env },
      timeout: 30_000,
    });
  const start = (name: string, ...args: string[]) => {
    const started = startProcess([tool(name), ...args, "-f"], { env, log: join(data, "out") });
    processes.push(started);
  };
  const map = join(data, "monmap");
  await call(
    "monmaptool",
    "--create",
    "--clobber",
    "--fsid",
    cluster,
    "--addv",
    "a",
    `[${address}]`,
    map,
  );
  await call("ceph-mon", "--mkfs", "-i", "a", "--monmap", map);
  start("ceph-mon", "-i", "a");
  await ceph("osd", "new", osd);
  await call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", osd);
  start("ceph-osd", "-i", "0");
  const isUp = async () => (await ceph("osd", "stat")).stdout.includes("1 up");
  await untilReady(isUp, { processes, seconds: 60 });
  const leave = async () => {
    await processes.pop()?.stop();
  };
  const comeBack = () => {
    start("radosgw", "-n", "client.rgw", "-c", join(data, "ceph.conf"));
    return untilReady(() => answers(endpoint), { processes, seconds: 90 });
  };
  const { accessKey, secretKey } = KEYS;
  const user = ["--uid=test", "--display-name=test", `--access-key=${accessKey}`];
  await comeBack();
  await call("radosgw-admin", "user", "create", ...user, `--secret-key=${secretKey}`);
  return { endpoint, leave, comeBack };
}

function environmentOf(root: string, data: string): Record<string, string> {
  const libraries = [LIBRARIES, `${LIBRARIES}/ceph`, "usr/lib/ceph", "lib/x86_64-linux-gnu"];
  return {
    LD_LIBRARY_PATH: libraries.map((name) => join(root, name)).join(":"),
    PYTHONPATH: join(root, "usr/lib/python3/dist-packages"),
    CEPH_CONF: join(data, "ceph.conf"),
  };
}

interface Configured {
  readonly root: string;
  readonly data: string;
  readonly cluster: string;
  readonly address: string;
  readonly gateway: number;
  readonly bytes: number;
}

function configuration({ root, data, cluster, address, gateway, bytes }: Configured): string {
  const libraries = join(root, LIBRARIES);
  return `[global]
fsid = ${cluster}
mon host = ${address}
auth cluster required = none
auth service required = none
auth client required = none
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
run dir = ${data}/run
admin socket = ${data}/run/$name.asok
log file = ${data}/run/$name.log
pid file = ${data}/run/$name.pid
erasure code dir = ${libraries}/ceph/erasure-code
osd class dir = ${libraries}/rados-classes
plugin dir = ${libraries}/ceph
osd class load list = *
osd class default list = *
public addr = ${LOOPBACK}
cluster addr = ${LOOPBACK}
[mon]
mon data = ${data}/mon
mon data avail crit = 1
[osd]
osd objectstore = memstore
osd data = ${data}/osd
memstore device bytes = ${bytes}
[client.rgw]
rgw data = ${data}/rgw
rgw frontends = beast endpoint=${LOOPBACK}:${gateway}
`;
}
