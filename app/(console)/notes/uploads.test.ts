import { describe, expect, it, vi } from "vitest";
import type { ActionResult } from "@/lib/errors/result";
import { createUploads, sendInTurn, type Upload } from "./upload-box";

const file = (name: string, size = 3) => new File(["x".repeat(size)], name);
const done: ActionResult<null> = { ok: true, data: null };
const lost: ActionResult<null> = { ok: false, error: { kind: "unavailable", message: "lost" } };

/** An upload queue whose answers the test controls. */
function givenLine() {
  const answers = new Map<string, (answer: ActionResult<null> | "cancelled") => void>();
  const said: string[] = [];
  let shown: readonly Upload[] = [];
  let made = 0;
  let arrived = 0;
  const line = createUploads({
    newId: () => String((made += 1)),
    refuse: ({ size }) => (size > 10 ? { kind: "invalid", message: "too large" } : null),
    send: (id, { name }, onProgress) => {
      said.push(`sends ${name}`);
      onProgress(1);
      return {
        answer: new Promise((resolve) => answers.set(id, resolve)),
        cancel: () => answers.get(id)?.("cancelled"),
      };
    },
    onChange: (uploads) => void (shown = uploads),
    onChosen: () => (arrived = 0),
    onArrived: ({ name }) => {
      arrived += 1;
      said.push(`${name} is there`);
    },
    onFailed: ({ message }) => said.push(message),
  });
  const answer = async (id: string, result: ActionResult<null>) => {
    answers.get(id)?.(result);
    await Promise.resolve();
    await new Promise(setImmediate);
  };
  return { line, said, answer, shown: () => shown.map(({ id, state }) => `${id} ${state}`), arrived: () => arrived };
}

it("sends files one at a time in the order chosen", async () => {
  const { line, said, answer, shown } = givenLine();
  line.add([file("a"), file("b")]);
  expect(shown()).toEqual(["1 sending", "2 waiting"]);
  await answer("1", done);
  expect(shown()).toEqual(["2 sending"]);
  await answer("2", done);
  expect(shown()).toEqual([]);
  expect(said).toEqual(["sends a", "a is there", "sends b", "b is there"]);
});

it("keeps a failed upload, continues with the others, and retries it when asked", async () => {
  const { line, said, answer, shown } = givenLine();
  line.add([file("a"), file("b")]);
  await answer("1", lost);
  expect(shown()).toEqual(["1 failed", "2 sending"]);
  await answer("2", done);
  line.again("1");
  await answer("1", done);
  expect(shown()).toEqual([]);
  expect(said).toEqual(["sends a", "lost", "sends b", "b is there", "sends a", "a is there"]);
});

it("does not send a file over the limit, and says so beside it", () => {
  const { line, said, shown } = givenLine();
  line.add([file("a", 11)]);
  expect(shown()).toEqual(["1 failed"]);
  line.drop("1");
  expect([shown(), said]).toEqual([[], []]);
});

it("cancels one upload and continues with the next", async () => {
  const { line, said, shown } = givenLine();
  line.add([file("a"), file("b")]);
  line.drop("1");
  await new Promise(setImmediate);
  expect(shown()).toEqual(["2 sending"]);
  expect(said).toEqual(["sends a", "sends b"]);
});

it("says what was attached of the files chosen last alone", async () => {
  const { line, answer, shown, arrived } = givenLine();
  line.add([file("a")]);
  await answer("1", done);
  expect(arrived()).toBe(1);
  line.add([file("b", 11), file("c", 11)]);
  expect(shown()).toEqual(["2 failed", "3 failed"]);
  expect(arrived()).toBe(0);
});

describe("a file that is sent while others upload", () => {
  const busy: ActionResult<null> = { ok: false, error: { kind: "unavailable", message: "busy" } };
  type Reply = Awaited<ReturnType<Parameters<typeof sendInTurn>[0]>["reply"]>;
  const answering = (replies: Reply[]) => {
    const cancelled = vi.fn<() => void>();
    const attempt = vi.fn<() => { reply: Promise<Reply>; cancel: () => void }>(() => ({
      reply: Promise.resolve(replies.shift() ?? { result: busy, retryAfterMs: 5_000 }),
      cancel: cancelled,
    }));
    return { attempt, cancelled };
  };

  it("is sent again after the time that the console asks for", async () => {
    const { attempt } = answering([
      { result: busy, retryAfterMs: 5_000 },
      { result: done, retryAfterMs: null },
    ]);
    const pause = vi.fn<(ms: number) => Promise<void>>(() => Promise.resolve());
    expect(await sendInTurn(attempt, pause).answer).toEqual(done);
    expect(pause.mock.calls).toEqual([[5_000]]);
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  it("is given up after twelve tries, with what the console said", async () => {
    const { attempt } = answering([]);
    expect(await sendInTurn(attempt, () => Promise.resolve()).answer).toEqual(busy);
    expect(attempt).toHaveBeenCalledTimes(12);
  });

  it("is not sent again once it is cancelled", async () => {
    const { attempt } = answering([]);
    const { answer, cancel } = sendInTurn(attempt, () => new Promise(() => undefined));
    cancel();
    expect(await answer).toBe("cancelled");
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it("is not sent again when it was refused for itself", async () => {
    const { attempt } = answering([{ result: lost, retryAfterMs: null }]);
    expect(await sendInTurn(attempt, () => Promise.resolve()).answer).toEqual(lost);
    expect(attempt).toHaveBeenCalledTimes(1);
  });
});
