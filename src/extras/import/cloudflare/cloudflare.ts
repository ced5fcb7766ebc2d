import { z } from "zod";
import { STANDARDS } from "#extras/import/standards";
import { DateTime, FreeForm } from "../../../contract/field.js";
import { isObject } from "../../../contract/values.js";
import { hostAt, partOf, type RunCheck, refusePart, type ScannerFormat } from "../scanner.js";

/*
 * A scan of Cloudflare's URL Scanner (`/urlscanner/v2/result/{scan_id}`) that was submitted with `agentReadiness`. It
 * has a level, and no score.
 */

const Scan = z.object({
  meta: z.object({ processors: z.object({ agentReadiness: FreeForm.optional() }) }),
  page: z.object({ url: z.string() }).optional(),
  task: z.object({
    uuid: z.string(),
    time: DateTime,
    url: z.string(),
    success: z.boolean().optional(),
  }),
});

const Readiness = z.object({
  /** Groups of checks by their ids. */
  checks: FreeForm,
  level: z.number(),
  levelName: z.string(),
  isCommerce: z.boolean().optional(),
});

const Check = z.object({
  status: z.enum(["pass", "fail", "neutral"]),
  message: z.string().optional(),
  details: FreeForm.nullish(),
});

const PLACE = ["meta", "processors", "agentReadiness"];
const STATUS = { pass: "pass", fail: "fail", neutral: "na" } as const;

export const cloudflare: ScannerFormat = {
  name: "cloudflare",
  scanner: "Cloudflare URL Scanner",
  standards: STANDARDS.cloudflare,
  runs: (document) => {
    const { meta, page, task } = partOf(Scan, document);
    const found = meta.processors.agentReadiness;
    const hasFailed = task.success === false;
    if (found === undefined && !hasFailed) {
      refusePart(PLACE, 'is missing; submit the scan with "agentReadiness": true');
    }
    const readiness = found === undefined ? null : partOf(Readiness, found, PLACE);
    return {
      host: hostAt(task.url, ["task", "url"]),
      url: task.url,
      finalUrl: page?.url,
      key: task.uuid,
      finishedAt: task.time,
      score: null,
      summary: readiness && `Level ${readiness.level}: ${readiness.levelName}.`,
      profile: {
        level: readiness?.level ?? null,
        levelName: readiness?.levelName ?? null,
        isCommerce: readiness?.isCommerce ?? null,
      },
      checks: readiness === null ? [] : checksOf(readiness.checks),
      failure: hasFailed ? "the scan did not succeed" : undefined,
    };
  },
};

function checksOf(groups: FreeForm): RunCheck[] {
  return Object.entries(groups).flatMap(([group, checks]) => {
    const path = [...PLACE, "checks", group];
    if (!isObject(checks)) return refusePart(path, "is not an object of checks");
    return Object.entries(checks).map(([id, check]) => {
      const { status, message = null, details } = partOf(Check, check, [...path, id]);
      return {
        id,
        title: id,
        status: STATUS[status],
        points: 0,
        maxPoints: 0,
        summary: message,
        details: { group, ...details },
      };
    });
  });
}
