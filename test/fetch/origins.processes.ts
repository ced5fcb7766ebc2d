import { describe, expect, it, onTestFinished } from "vitest";
import { type FetchHandler, httpStore } from "../../src/fetch/index.js";
import { seeded } from "../oracle/random.js";
import { repeated, someOf } from "../slow.js";
import { comparable } from "./comparison.js";
import { type Sending, serveFolder } from "./file-server.js";
import { sharedOrigin } from "./generations.js";
import { type Health, handlerTarget, healthOf } from "./targets.js";
import { wholeHandler } from "./whole.js";

const GENERATIONS = 4;
const WAIT_MS = 20_000;

const origin = sharedOrigin(GENERATIONS);

/** Asks for the health until it is as expected: each request lets the handler look at its store. */
async function untilHealth(handler: FetchHandler, isRight: (health: Health) => boolean) {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const health = await healthOf(handler);
    if (isRight(health) || performance.now() > end) return health;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Asks all questions and expects each answer to be a generation's, or a refusal to give a damaged one.
 * @returns how many are the generation's
 */
async function expectNoneWrong(handler: FetchHandler, number: number): Promise<number> {
  const { questions, generations } = origin;
  const given = await handlerTarget("fetch handler", handler).ask(questions);
  const wrong: unknown[] = [];
  let right = 0;
  for (const [i, { target }] of questions.entries()) {
    const answer = comparable(given[i]);
    const expected = generations[number - 1]?.answers[i];
    if (JSON.stringify(answer) === JSON.stringify(expected)) right += 1;
    else if (answer.status !== 502) wrong.push({ target, answer, expected });
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  return right;
}

/** A handler of an origin with this behaviour. */
async function follow(spoil: (sending: Sending) => void): Promise<FetchHandler> {
  const files = await serveFolder(origin.folder, spoil);
  onTestFinished(files.close);
  return wholeHandler({ store: httpStore(files.url), refreshSeconds: 0 });
}

describe("a fetch handler whose origin fails", () => {
  it("keeps answering while the origin is away, says so, and follows it once it is back", async () => {
    await origin.rewind(1);
    let isAway = false;
    const handler = await follow(() => {
      if (isAway) throw new Error("away");
    });
    expect(await expectNoneWrong(handler, 1)).toBe(origin.questions.length);
    isAway = true;
    await origin.rewind(4);
    const away = await untilHealth(handler, ({ trouble }) => trouble !== undefined);
    expect(away).toMatchObject({ ready: true, generation: 1, trouble: expect.any(String) });
    const right = await expectNoneWrong(handler, 1);
    expect(right).toBeGreaterThan(origin.questions.length / 2);
    isAway = false;
    const back = await untilHealth(handler, ({ generation }) => generation === 4);
    const { id } = origin.generations[3] ?? {};
    expect(back).toEqual({ ready: true, snapshot: id, generation: 4 });
    expect(await expectNoneWrong(handler, 4)).toBe(origin.questions.length);
  });

  it("refuses an older state of the origin", async () => {
    await origin.rewind(4);
    const handler = await follow(() => {});
    await origin.rewind(2);
    const refused = await untilHealth(handler, ({ trouble }) => trouble !== undefined);
    expect(refused).toMatchObject({ generation: 4, trouble: expect.stringContaining("older") });
    expect(await expectNoneWrong(handler, 4)).toBe(origin.questions.length);
  });
});

describe("a fetch handler whose origin sends wrong bytes", () => {
  /** Ways in which a body can be wrong. */
  const DEFECTS: Record<string, (sending: Sending) => void> = {
    "a byte that was changed": (sending) => {
      sending.bytes = flipped(sending.bytes, partMiddle(sending));
    },
    "half of a file": (sending) => {
      sending.bytes = sending.bytes.subarray(0, sending.bytes.length / 2);
    },
    "a body that is cut off": (sending) => {
      sending.isCut = true;
    },
    "a page of a proxy": (sending) => {
      sending.bytes = Buffer.from("<!doctype html><title>Please log in</title>");
    },
    "another part of the file": (sending) => {
      sending.bytes = Buffer.concat([sending.bytes.subarray(1), Buffer.from("\n")]);
    },
    "an empty body": (sending) => {
      sending.bytes = Buffer.alloc(0);
    },
    "an error": () => {
      throw new Error("overloaded");
    },
  };

  const KINDS = [/^current/, /manifest\.json$/, /\.brief$/, /\.gz$/, /\.pack$/, /public/];
  const PAIRS = Object.keys(DEFECTS).flatMap((defect) => KINDS.map((kind) => ({ defect, kind })));

  it.each(someOf(PAIRS, 4))("never gives a wrong answer after $defect, of $kind", async (pair) => {
    await origin.rewind(1);
    let isBad = true;
    let isMet = false;
    const handler = await follow((sending) => {
      if (!isBad || !pair.kind.test(sending.path)) return;
      isMet = true;
      DEFECTS[pair.defect]?.(sending);
    });
    const { ready } = await healthOf(handler);
    const right = ready ? await expectNoneWrong(handler, 1) : 0;
    // An extra may search without the tables.
    if (isMet) expect(right).toBeLessThan(origin.questions.length);
    isBad = false;
    await untilHealth(handler, (health) => health.ready && health.trouble === undefined);
    expect(await expectNoneWrong(handler, 1)).toBe(origin.questions.length);
  });

  it("never gives a wrong answer while a third of all bodies have a random defect", async () => {
    await origin.rewind(1);
    const random = seeded(8);
    const defects = Object.values(DEFECTS);
    let isCalm = true;
    const handler = await follow((sending) => {
      const drawn = Math.floor(random() * 3 * defects.length);
      if (!isCalm) defects[drawn]?.(sending);
    });
    isCalm = false;
    for (let round = 0; round < repeated(1, 3); round += 1) {
      expect(await expectNoneWrong(handler, 1)).toBeGreaterThan(0);
    }
  });

  it("answers everything from an origin that ignores Range", async () => {
    await origin.rewind(1);
    const handler = await follow((sending) => {
      sending.honoursRange = false;
    });
    expect(await expectNoneWrong(handler, 1)).toBe(origin.questions.length);
  });
});

function flipped(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}

/** The middle of the part of a file that is sent. */
function partMiddle({ range, bytes }: Sending): number {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (first === undefined) return Math.floor(bytes.length / 2);
  return Math.floor((Number(first) + Math.min(Number(last), bytes.length - 1)) / 2);
}
