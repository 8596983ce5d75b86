import { changeSetting, readSetting } from "@/lib/audit/tenant-setting";
import { ALLOWED_ADDRESSES } from "@/lib/auth/allowed-addresses";
import type { Db, Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";

type Change = { tenant: string; actor: string; seen: number | null; networks: string[] };

export type SavedList = { version: number; networks: string[] };

export async function changeNetworks(tx: Tx, { networks, ...by }: Change): Promise<SavedList> {
  // Open streams of who is refused from now on end at once.
  await publish(tx, { tenant: by.tenant, topic: "staff" });
  const { version, value } = await changeSetting(tx, ALLOWED_ADDRESSES, { ...by, value: networks });
  return { version, networks: value };
}

export const readNetworks = async (store: Db, tenant: string): Promise<string[]> =>
  (await readSetting(store, tenant, ALLOWED_ADDRESSES)).value;

/** The operator's way out of a list that keeps everybody away. */
export const openToAll = (store: Db, tenant: string): Promise<SavedList> =>
  store.transaction((tx) => changeNetworks(tx, { tenant, actor: "command", seen: null, networks: [] }));
