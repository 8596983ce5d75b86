import { conflict, type Denial } from "@/lib/errors/denial";
import type { EventState, Wake } from "@/lib/db/enums/webhooks";

export type ReplayDenial = Denial<"replay-waiting" | "replay-running" | "replay-nothing">;

type Replayed = { state: EventState; wakes: Wake | null; isReplayed: boolean };

/** What may be done with a delivery; `isReplayed`: it waits in somebody's replay. */
export const replayCan = {
  start: ({ state, wakes, isReplayed }: Replayed): ReplayDenial | null => {
    if (state === "WAITING") return conflict("replay-waiting");
    if (wakes === null) return conflict("replay-nothing");
    return isReplayed ? conflict("replay-running") : null;
  },
};
