import { afterEach, expect, test, vi } from "vitest";
import { createStore } from "./use-query";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const connection = (onLine: boolean) => {
  const browser = new EventTarget();
  vi.stubGlobal("navigator", { onLine });
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  return browser;
};

const empty = () => createStore<string>({ data: undefined, readAtMs: null });

test("what was read stands while it is read again, and when that fails", async () => {
  connection(true);
  const store = createStore<string>({ data: "old", readAtMs: 1 });
  const asking = store.ask({ queryFn: () => Promise.reject(new Error("no answer")), retry: false });
  expect(store.get()).toMatchObject({ data: "old", isFetching: true, error: null });
  await asking;
  expect(store.get()).toMatchObject({ data: "old", isFetching: false, error: { message: "no answer" } });
  await store.ask({ queryFn: () => Promise.resolve("new"), retry: false });
  expect(store.get()).toMatchObject({ data: "new", error: null });
});

test("a second question gives up the first, whose answer is not taken", async () => {
  connection(true);
  const store = createStore<string>({ data: "old", readAtMs: 1 });
  const late: ((answer: string) => void)[] = [];
  const first = store.ask({ queryFn: () => new Promise((resolve) => late.push(resolve)) });
  await store.ask({ queryFn: () => Promise.resolve("second") });
  late[0]?.("first");
  await first;
  expect(store.get().data).toBe("second");
});

test("a question that is under way is joined by who does not insist", async () => {
  connection(true);
  const store = empty();
  const queryFn = vi.fn<() => Promise<string>>(() => Promise.resolve("answer"));
  await Promise.all([store.ask({ queryFn }), store.ask({ queryFn }, { cancelRefetch: false })]);
  expect(queryFn).toHaveBeenCalledOnce();
});

test("a failed read is tried again as often as it may be, each time later", async () => {
  connection(true);
  vi.useFakeTimers();
  const store = empty();
  const queryFn = vi.fn<() => Promise<string>>(() => Promise.reject(new Error("no answer")));
  const asking = store.ask({ queryFn, retry: (failures) => failures < 2 });
  await vi.advanceTimersByTimeAsync(999);
  expect(queryFn).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2_001);
  await asking;
  expect(queryFn).toHaveBeenCalledTimes(3);
  expect(store.get().error?.message).toBe("no answer");
});

test("without a connection nothing is asked until there is one", async () => {
  const browser = connection(false);
  const store = empty();
  const queryFn = vi.fn<() => Promise<string>>(() => Promise.resolve("answer"));
  const asking = store.ask({ queryFn });
  expect(queryFn).not.toHaveBeenCalled();
  browser.dispatchEvent(new Event("online"));
  await asking;
  expect(store.get().data).toBe("answer");
});

test("nothing is taken once nobody looks any more", async () => {
  connection(true);
  const store = empty();
  const asking = store.ask({ queryFn: () => Promise.resolve("answer") });
  store.leave();
  await asking;
  expect(store.get()).toMatchObject({ data: undefined, isFetching: false });
});
