import { instruments } from "./instruments";

type PoolCounts = { totalCount: number; idleCount: number; waitingCount: number; options: { max: number } };

type Followed = {
  circuits: Map<string, () => Readonly<Record<string, { isOpen: boolean }>>>;
  pools: Map<string, PoolCounts>;
};

declare global {
  var retaguardaFollowed: Followed | undefined;
}

/** One per process, though Next loads modules several times. */
const followed = (): Followed => (globalThis.retaguardaFollowed ??= { circuits: new Map(), pools: new Map() });

export const followCircuit = (tenant: string, lanes: () => Readonly<Record<string, { isOpen: boolean }>>): void =>
  void followed().circuits.set(tenant, lanes);

export const followPool = (name: string, pool: PoolCounts): void => void followed().pools.set(name, pool);

function setPool(name: string, { totalCount, idleCount, waitingCount, options }: PoolCounts): void {
  const { count, most, pending } = instruments().pool;
  const pool = { db_client_connection_pool_name: name };
  count.set({ ...pool, db_client_connection_state: "idle" }, idleCount);
  count.set({ ...pool, db_client_connection_state: "used" }, totalCount - idleCount);
  most.set(pool, options.max);
  pending.set(pool, waitingCount);
}

/** Before each scrape: what this process knows without asking anybody. */
export function setFollowed(): void {
  const { circuits, pools } = followed();
  const { circuit } = instruments();
  for (const [tenant, lanes] of circuits) {
    for (const [lane, { isOpen }] of Object.entries(lanes())) circuit.set({ tenant, lane }, Number(isOpen));
  }
  for (const [name, pool] of pools) setPool(name, pool);
}
