/** The text of the service worker that answers reports and reads of the API in a packed tree: its `worker.js`. */
export declare const SERVICE_WORKER: string;
