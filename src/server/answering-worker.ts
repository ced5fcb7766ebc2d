import { parentPort, workerData } from "node:worker_threads";
import { installExtras, readsOf } from "../extra.js";
import { EXTRAS } from "../extras/index.js";
import { ServedSnapshot } from "./current-snapshot.js";
import { type Listener, openListener } from "./listener.js";
import { loadSnapshot } from "./load-snapshot.js";
import type { Log, Observer, SeenAnswer } from "./observer.js";
import { openRasterizer } from "./rasterizer.js";
import { serverPages } from "./server-pages.js";
import type { Answers, FromThread, HandedSnapshot, ThreadSetup, ToThread } from "./threads.js";

// The entry of a thread that answers, which threads.ts starts.
installExtras(EXTRAS);
const { store, cacheBytes, without, hasMetrics, isObserved } = workerData as ThreadSetup;

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

/* What the first thread tells. */

const told = new Map<number, (answers: Partial<Answers>) => void>();
let questions = 0;

function ask<A extends keyof Answers>(about: A): Promise<Answers[A]> {
  questions += 1;
  const question = questions;
  sendSeen();
  return new Promise<Answers[A]>((resolve) => {
    told.set(question, ({ [about]: answer }) => {
      if (answer !== undefined) resolve(answer);
    });
    post({ kind: "ask", question, about });
  });
}

const log: Log = (message, level) => post({ kind: "log", message, level });

/* Seen answers are sent a few times a second: a message costs more than a cached answer. */

const SEEN_MS = 100;
const SEEN_MAX = 1_000;
let seen: SeenAnswer[] = [];
let sending: NodeJS.Timeout | null = null;

const observer: Observer = (answer) => {
  seen.push(answer);
  if (seen.length >= SEEN_MAX) sendSeen();
  else sending ??= setTimeout(sendSeen, SEEN_MS);
};

function sendSeen(): void {
  if (sending !== null) clearTimeout(sending);
  sending = null;
  const answers = seen;
  seen = [];
  if (answers.length > 0)
    post({ kind: "seen", answers, cacheBytes: served.current?.kept.bytes ?? 0 });
}

/* Snapshots, and the socket. */

const opening = new Map<number, Promise<ServedSnapshot>>();
const served: { current: ServedSnapshot | null; trouble: string | undefined } = {
  current: null,
  trouble: undefined,
};

async function opened(number: number, { id, manifest, shared }: HandedSnapshot) {
  const loaded = await loadSnapshot(store, id, {
    bytes: manifest,
    shared,
    log,
  });
  const close = () => {
    loaded.close();
    post({ kind: "released", number });
  };
  return new ServedSnapshot({ ...loaded, close }, cacheBytes);
}

const extras = EXTRAS.filter(({ name }) => !without.includes(name));
const rasterizer = await openRasterizer(extras);
let listener: Listener | null = null;

async function listen(descriptor: number): Promise<void> {
  listener = await openListener(
    { descriptor },
    {
      follower: served,
      log,
      extensions: readsOf(extras),
      observer: isObserved ? observer : null,
      metrics: hasMetrics ? () => ask("metrics") : null,
      pages: serverPages(rasterizer?.rasterize),
      readiness: () => ask("readiness"),
    },
  );
  post({ kind: "listening" });
}

async function received(message: ToThread): Promise<void> {
  switch (message.kind) {
    case "open": {
      const { number, snapshot } = message;
      const loading = opened(number, snapshot);
      opening.set(number, loading);
      const failure = await loading.then(
        () => null,
        (error: Error) => error.message,
      );
      if (failure !== null) {
        opening.delete(number);
        post({ kind: "released", number });
      }
      post({ kind: "opened", number, failure });
      break;
    }
    case "adopt": {
      const next = await opening.get(message.number);
      if (next === undefined) break;
      opening.delete(message.number);
      served.current?.release();
      served.current = next;
      break;
    }
    case "forget":
      (await opening.get(message.number))?.release();
      opening.delete(message.number);
      break;
    case "trouble":
      served.trouble = message.trouble;
      break;
    case "listen":
      await listen(message.descriptor);
      break;
    case "told":
      told.get(message.question)?.(message.answers);
      told.delete(message.question);
      break;
    case "close":
      await listener?.close();
      sendSeen();
      await rasterizer?.close();
      post({ kind: "closed" });
  }
}

parentPort?.on("message", (message: ToThread) => void received(message));
