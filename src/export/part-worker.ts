import { workerData } from "node:worker_threads";
import { installExtras } from "../extra.js";
import { EXTRAS } from "../extras/index.js";
import { serveOrders } from "../publish/crew.js";
import { type PartOrder, PartWork, type TreeWork } from "./part-work.js";

// The entry point of a worker thread. export.ts passes the `TreeWork` as `workerData`.
installExtras(EXTRAS);
const work: TreeWork = workerData;
const opened = PartWork.open(work);
serveOrders(async (order: PartOrder) => (await opened).run(order));
