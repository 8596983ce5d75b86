"use client";

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";

type State<Data> = {
  data: Data | undefined;
  /** Null: `data` was never read, or stands in for what is not read yet. */
  readAtMs: number | null;
  error: Error | null;
  isFetching: boolean;
};

type Options<Data> = {
  queryKey: readonly unknown[];
  queryFn: (given: { signal: AbortSignal }) => Promise<Data>;
  initialData?: Data;
  /** Until the new question is answered, the answer of the one before stands. */
  keepsPrevious?: boolean;
  enabled?: boolean;
  /** Older than this, it is read again when it is shown and when the window comes back. */
  staleTime?: number;
  refetchInterval?: number | false | ((data: Data | undefined) => number);
  refetchOnWindowFocus?: boolean | "always";
  retry?: boolean | number | ((failures: number, error: Error) => boolean);
};

type Asking = { cancelRefetch?: boolean };

const FIRST_PAUSE_MS = 1_000;
const USUAL_TRIES = 3;

function mayRetry(retry: Options<unknown>["retry"], failures: number, error: Error): boolean {
  if (typeof retry === "function") return retry(failures, error);
  return retry === true || failures < (retry === false ? 0 : (retry ?? USUAL_TRIES));
}

function until(what: "online" | number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve());
    if (what === "online") addEventListener("online", () => resolve(), { once: true, signal });
    else setTimeout(resolve, what);
  });
}

type Question<Data> = Pick<Options<Data>, "queryFn" | "retry">;

/** Without a connection nothing is asked until there is one. */
async function answerOf<Data>({ queryFn, retry }: Question<Data>, signal: AbortSignal): Promise<Data> {
  for (let failures = 0; ; failures += 1) {
    if (!navigator.onLine) await until("online", signal);
    const [outcome] = await Promise.allSettled([queryFn({ signal })]);
    if (outcome.status === "fulfilled") return outcome.value;
    const error = outcome.reason instanceof Error ? outcome.reason : new Error(String(outcome.reason));
    if (signal.aborted || !mayRetry(retry, failures, error)) throw error;
    await until(FIRST_PAUSE_MS * 2 ** failures, signal);
  }
}

export function createStore<Data>(first: Pick<State<Data>, "data" | "readAtMs">) {
  let state: State<Data> = { ...first, error: null, isFetching: false };
  let running: AbortController | null = null;
  const followers = new Set<() => void>();
  const become = (next: Partial<State<Data>>) => {
    state = { ...state, ...next };
    for (const hear of followers) hear();
  };
  const know = (data: Data) => become({ data, readAtMs: Date.now(), error: null, isFetching: false });
  const stop = () => {
    running?.abort();
    running = null;
  };
  const ask = async (question: Question<Data>, { cancelRefetch = true }: Asking = {}): Promise<void> => {
    if (running !== null && (!cancelRefetch || state.readAtMs === null)) return;
    stop();
    const own = new AbortController();
    running = own;
    become({ isFetching: true, ...(state.readAtMs === null && { error: null }) });
    const [outcome] = await Promise.allSettled([answerOf(question, own.signal)]);
    if (running !== own) return;
    running = null;
    if (outcome.status === "fulfilled") know(outcome.value);
    else become({ error: outcome.reason, isFetching: false });
  };
  return {
    get: () => state,
    follow: (hear: () => void) => {
      followers.add(hear);
      return () => void followers.delete(hear);
    },
    know,
    ask,
    leave: () => {
      stop();
      state = { ...state, isFetching: false };
    },
  };
}

function startOf<Data>({ initialData, keepsPrevious }: Options<Data>, before?: Data) {
  if (initialData !== undefined) return createStore<Data>({ data: initialData, readAtMs: Date.now() });
  return createStore<Data>({ data: keepsPrevious === true ? before : undefined, readAtMs: null });
}

const isOld = ({ readAtMs }: State<unknown>, staleTime: number) =>
  readAtMs === null || Date.now() - readAtMs >= staleTime;

type Query<Data, Known> = Omit<State<Data>, "data"> & {
  data: Known;
  isPending: boolean;
  isError: boolean;
  /** What runs is given up for it, unless told otherwise. */
  refetch: (asking?: Asking) => Promise<void>;
  update: (change: (known: Data) => Data) => void;
};

/** What a part of a screen reads by itself, and reads again while it is looked at. */
export function useQuery<Data>(options: Options<Data> & { initialData: Data }): Query<Data, Data>;
export function useQuery<Data>(options: Options<Data>): Query<Data, Data | undefined>;
export function useQuery<Data>(options: Options<Data>): Query<Data, Data | undefined> {
  const { enabled = true, staleTime = 0, refetchInterval = false, refetchOnWindowFocus = true } = options;
  const key = JSON.stringify(options.queryKey);
  const [held, setHeld] = useState(() => ({ key, store: startOf(options) }));
  let { store } = held;
  if (held.key !== key) {
    store = startOf(options, held.store.get().data);
    setHeld({ key, store });
  }
  const state = useSyncExternalStore(store.follow, store.get, store.get);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const refetch = useCallback((asking?: Asking) => store.ask(latest.current, asking), [store]);

  useEffect(() => {
    if (enabled && isOld(store.get(), staleTime)) void refetch({ cancelRefetch: false });
  }, [enabled, refetch, store, staleTime]);
  useEffect(() => () => store.leave(), [store]);

  useEffect(() => {
    if (!enabled || refetchOnWindowFocus === false) return;
    const look = () => {
      if (document.visibilityState !== "visible") return;
      if (refetchOnWindowFocus === "always" || isOld(store.get(), staleTime)) void refetch({ cancelRefetch: false });
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [enabled, refetch, refetchOnWindowFocus, staleTime, store]);

  const every = typeof refetchInterval === "function" ? refetchInterval(state.data) : refetchInterval;
  useEffect(() => {
    if (!enabled || every === false) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refetch({ cancelRefetch: false });
    }, every);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each answer begins the wait anew
  }, [enabled, every, refetch, state]);

  const update = useCallback(
    (change: (known: Data) => Data) => {
      const { data, error, isFetching } = store.get();
      if (data !== undefined && error === null && !isFetching) store.know(change(data));
    },
    [store],
  );
  return {
    ...state,
    isPending: state.data === undefined && state.error === null,
    isError: state.error !== null,
    refetch,
    update,
  };
}
