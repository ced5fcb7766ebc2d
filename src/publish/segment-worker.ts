import { workerData } from "node:worker_threads";
import { installExtras } from "../extra.js";
import { EXTRAS } from "../extras/index.js";
import { serveOrders } from "./crew.js";
import { type BuildWork, type SegmentOrder, SegmentWork } from "./segment-work.js";

// The entry point of a worker thread. segments.ts passes the `BuildWork` as `workerData`.
installExtras(EXTRAS);
const data: BuildWork = workerData;
const work = new SegmentWork(data);
serveOrders((order: SegmentOrder) => work.run(order));
