import type { Answer, AnswerContext } from "./answer.js";
import { jsonAnswer } from "./error-answers.js";
import type { HealthPath } from "./routing.js";

/** In seconds. A new snapshot answers within about two seconds. */
export const RETRY_AFTER = { "Retry-After": "2" };

/** What `/readyz` and the metrics say of a server beside its snapshot. */
export interface Readiness {
  /** When the snapshot that answers was published in the server's store; undefined if that is unknown. */
  readonly publishedAt?: Date | undefined;
  /** Why the server is not ready, even if it has a snapshot; undefined if nothing but the snapshot counts. */
  readonly unready?: string | undefined;
}

/** Reports the health of the process (decisions, HTTP): that it answers, or which snapshot it has loaded. */
export async function healthAnswer(path: HealthPath, context: AnswerContext): Promise<Answer> {
  if (path === "healthz") return jsonAnswer(200, { ok: true });
  const { snapshot, generation } = context;
  const { publishedAt, unready } = (await context.readiness?.()) ?? {};
  const facts = { snapshot: snapshot?.id, generation, publishedAt };
  const trouble = unready ?? context.trouble;
  return snapshot !== null && unready === undefined
    ? jsonAnswer(200, { ready: true, ...facts, trouble })
    : jsonAnswer(503, { ready: false, ...facts, trouble }, RETRY_AFTER);
}
