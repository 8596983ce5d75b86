import type { LedgerAccount } from "@/service/ledger/movement";

type Ordered = { accounts: readonly LedgerAccount[] };

/** Which accounts are being written just now, so that what touches them waits for its turn. */
export type Lanes<Item> = {
  /**
   * Takes from the front of those that wait: at most so many, none of which touches an account that is taken. What comes
   * after one that stays behind stays behind too where they share an account.
   */
  take: (waiting: readonly Item[], atMost: number) => { taken: Item[]; left: Item[] };
  /** Gives their accounts free. */
  release: (taken: readonly Item[]) => void;
};

// The rest of the world keeps no balance: everybody may write upon it at once.
const keptIds = ({ accounts }: Ordered) => accounts.flatMap(({ id, kind }) => (kind === "outside" ? [] : [id]));

export function createLanes<Item>(orderOf: (item: Item) => Ordered): Lanes<Item> {
  const busy = new Set<number>();
  const take: Lanes<Item>["take"] = (waiting, atMost) => {
    const [taken, left]: [Item[], Item[]] = [[], []];
    const blocked = new Set(busy);
    for (const item of waiting) {
      const ids = keptIds(orderOf(item));
      const isFree = taken.length < atMost && ids.every((id) => !blocked.has(id));
      (isFree ? taken : left).push(item);
      for (const id of ids) (isFree ? busy : blocked).add(id);
    }
    return { taken, left };
  };
  const release: Lanes<Item>["release"] = (taken) => {
    for (const item of taken) for (const id of keptIds(orderOf(item))) busy.delete(id);
  };
  return { take, release };
}
