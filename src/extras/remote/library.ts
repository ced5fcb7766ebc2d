import { installExtras } from "../../extra.js";
import { EXTRAS } from "../index.js";

export {
  RemoteBusyError,
  RemoteError,
  RemoteRefusedError,
  RemoteSnapshotError,
} from "./failures.js";
export type { PullOptions, PushOptions } from "./options.js";
export { type PullResult, pull } from "./pull.js";
export { type PushResult, push } from "./push.js";

installExtras(EXTRAS);
