import { workerData } from "node:worker_threads";
import { serveOrders } from "./crew.js";
import { type BuildWork, type SegmentOrder, SegmentWork } from "./segment-work.js";

// The entry point of a worker thread. segments.ts passes the `BuildWork` as `workerData`.
const data: BuildWork = workerData;
const work = new SegmentWork(data);
serveOrders((order: SegmentOrder) => work.run(order));
