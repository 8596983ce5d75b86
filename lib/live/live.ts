import { findSessions, type Session } from "@/lib/auth/sessions";
import { db, store } from "@/lib/store/store";
import { Hub, Viewer, forgetOld, readKept } from "./hub";
import { LIVE_CHANNEL } from "./publish";
import { standingOf } from "./standing";

/** Beyond that, a slow reader gets a digest. */
const BUFFER_BYTES = 16_384;

const nothing = () => {};

type Opening = {
  session: Session;
  lastEventId: string | null;
  gone: AbortSignal;
};

export async function openStream(hub: Hub, { session, lastEventId, gone }: Opening): Promise<ReadableStream | null> {
  await hub.ready;
  if (!hub.mayJoin(session.idHash)) return null;
  const encoder = new TextEncoder();
  let isOpen = true;
  let [leave, flush] = [nothing, nothing];
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      leave();
      gone.removeEventListener("abort", close);
      controller.close();
    };
    const viewer = new Viewer(session.idHash, standingOf(session), {
      isReady: () => isOpen && (controller.desiredSize ?? 0) > 0,
      write: (text) => isOpen && controller.enqueue(encoder.encode(text)),
      close,
    });
    gone.addEventListener("abort", close);
    flush = () => viewer.flush();
    leave = hub.join(viewer, lastEventId);
    if (gone.aborted) close();
  };
  const cancel = () => {
    isOpen = false;
    leave();
  };
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES });
  return new ReadableStream<Uint8Array>({ start, pull: () => flush(), cancel }, strategy);
}

declare global {
  var retaguardaLive: Hub | undefined;
}

/** One per process, though Next loads modules several times. */
export function liveHub(): Hub {
  globalThis.retaguardaLive ??= new Hub({
    listen: (ear) => {
      const listening = store().then(({ listen }) => listen(LIVE_CHANNEL, ear));
      return async () => (await listening)();
    },
    readKept: async (sinceMs) => readKept(await db(), sinceMs),
    forgetOld: async () => forgetOld(await db()),
    findStandings: async (idHashes) => {
      const sessions = await findSessions(idHashes);
      return new Map([...sessions].map(([idHash, session]) => [idHash, standingOf(session)]));
    },
    now: Date.now,
    after: (ms, run) => void setTimeout(run, ms).unref(),
  });
  return globalThis.retaguardaLive;
}
