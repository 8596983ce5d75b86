import { standing } from "@/lib/bank/client";
import type { LaneStanding } from "@/lib/bank/circuit";
import { type Lane, LANES } from "@/lib/bank/budget";
import { query } from "@/lib/query";

/** How the last minute used the provider's limit, and what holds calls back now. Times are ISO. */
export type ProviderStanding = {
  /** Calls that may leave in a minute now; below `configured` after the provider refused some. */
  limit: number;
  configured: number;
  used: number;
  byLane: Record<Lane, number>;
  /** Callers of this instance that wait for their turn. */
  waiting: Record<Lane, number>;
  /** The provider asked everybody to wait until then. */
  pausedUntil: string | null;
  /** Lanes in which the provider failed so often that calls fail at once. */
  silentLanes: Lane[];
};

/** Nobody has asked since the next probe is due: whether the provider answers by now is not known. */
const isSilent = (lane: LaneStanding) => lane.isOpen && lane.untilProbeMs > 0;

/** Anybody signed in may know why they wait. */
export const getStanding = query("accounts:read", async ({ tenant }): Promise<ProviderStanding> => {
  const { use, lanes } = await standing(tenant);
  const silentLanes = LANES.filter((lane) => isSilent(lanes[lane]));
  const { limit, configured, used, byLane, waiting, pausedUntil } = use;
  return { limit, configured, used, byLane, waiting, pausedUntil: pausedUntil?.toISOString() ?? null, silentLanes };
});
