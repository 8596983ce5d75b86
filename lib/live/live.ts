import { findSessions } from "@/lib/auth/sessions";
import { db, store } from "@/lib/store/store";
import { forgetOld, readKept } from "./event";
import { Hub } from "./hub";
import { LIVE_CHANNEL } from "./publish";
import { standingOf } from "./standing";

declare global {
  var retaguardaLive: Hub | undefined;
}

/** The one hub of this process: Next loads modules several times, one connection hears for all. */
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
