import type { Ear } from "@/lib/db/listen";
import type { LiveMessage } from "@/lib/live/view";
import { Hub, type LiveEvent, type Viewer } from "@/lib/live/live";
import type { TopicScope } from "@/lib/permission/topics";

const AURORA: TopicScope = { tenant: "aurora", topics: ["kyc", "onboarding"] };

type Given = { topic?: string; object?: string | null; tenant?: string };
type Reader = { idHash?: string; pageAgeMs?: number };

/** A hub on a clock that `pass` advances, with a store that answers from the scene; the session `ana` is valid. */
export async function givenHub() {
  let nowMs = 1_000_000;
  let lastId = 100;
  let timers: { atMs: number; run: () => void }[] = [];
  const ears: Ear[] = [];
  const questions: (readonly string[])[] = [];
  const standings = new Map([["ana", AURORA]]);
  const store = { isDown: false, stored: new Array<LiveEvent>() };
  const hub = new Hub({
    listen: (ear) => {
      ears.push(ear);
      return () => Promise.resolve();
    },
    readSince: async (sinceId) => store.stored.filter(({ id }) => id > sinceId),
    forgetOld: () => Promise.resolve(),
    findStandings: async (readers) => {
      questions.push([...new Set(readers.map(({ idHash }) => idHash))]);
      if (store.isDown) throw new Error("down");
      return readers.map(({ idHash }) => standings.get(idHash) ?? null);
    },
    now: () => nowMs,
    after: (ms, run) => timers.push({ atMs: nowMs + ms, run }),
  });
  const connect = () => ears.forEach((ear) => ear.connected());
  const say = (payload: string) => ears.forEach((ear) => ear.received(payload));
  connect();
  await hub.ready;

  /** Lets time pass and runs everything that falls due. */
  async function pass(ms: number): Promise<void> {
    const endMs = nowMs + ms;
    for (;;) {
      await new Promise(setImmediate);
      const [next] = timers.filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      timers = timers.filter((timer) => timer !== next);
      nowMs = next.atMs;
      next.run();
    }
    nowMs = endMs;
  }

  /** An instance publishes; returns the event's id. */
  function happens({ topic = "kyc", object = "k1", tenant = "aurora" }: Given = {}, id = (lastId += 1)): number {
    say(JSON.stringify({ id, tenant, topic, object }));
    return id;
  }

  function opens({ idHash = "ana", pageAgeMs = 15_000 }: Reader = {}) {
    const written: string[] = [];
    const stream = { isReady: true, isClosed: false };
    const viewer: Viewer = {
      idHash,
      address: "203.0.113.7",
      standing: AURORA,
      isReady: () => stream.isReady,
      write: (text) => written.push(text),
      close: () => {
        stream.isClosed = true;
      },
    };
    const leave = hub.join(viewer, pageAgeMs);
    return { ...reading(written), stream, leave };
  }

  return { hub, store, standings, questions, connect, say, pass, happens, opens };
}

/** Decodes a reader's stream. */
function reading(written: readonly string[]) {
  const text = () => written.join("");
  return {
    pulses: () =>
      text()
        .split("\n\n")
        .filter((frame) => frame === ":").length,
    messages: () =>
      [...text().matchAll(/^data: (.*)$/gm)]
        .map(([, data]): LiveMessage => JSON.parse(data ?? ""))
        .filter(({ kind }) => kind !== "open"),
  };
}
