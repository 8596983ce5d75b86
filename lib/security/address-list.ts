import { changeSetting, listSettingSteps, readSetting, type SettingStep } from "@/lib/audit/tenant-setting";
import { ALLOWED_ADDRESSES, isAllowed } from "@/lib/auth/allowed-addresses";
import { callerAddress } from "@/lib/auth/session";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { AddressListForm } from "./inputs";

type AddressStep = Omit<SettingStep<string[]>, "before" | "after"> & { added: string[]; removed: string[] };

type AddressList = {
  version: number;
  networks: string[];
  /** Newest first. */
  history: AddressStep[];
  /** Of this request, as the console sees it; null when nothing says it. */
  ownAddress: string | null;
};

export async function readAddressList({ tenant }: Actor<"settings:manage">): Promise<AddressList> {
  const store = await db();
  const { version, value } = await readSetting(store, tenant, ALLOWED_ADDRESSES);
  const steps = await listSettingSteps(store, tenant, ALLOWED_ADDRESSES);
  return {
    version,
    networks: value,
    history: steps.map(({ before, after, ...step }) => ({
      ...step,
      added: after.filter((network) => !before.includes(network)),
      removed: before.filter((network) => !after.includes(network)),
    })),
    ownAddress: await callerAddress(),
  };
}

type Change = { tenant: string; actor: string; seen: number | null; networks: string[] };

type SavedList = { version: number; networks: string[] };

async function change(tx: Tx, { networks, ...by }: Change): Promise<SavedList> {
  // Open streams of who is refused from now on end at once.
  await publish(tx, { tenant: by.tenant, topic: "staff" });
  const { version, value } = await changeSetting(tx, ALLOWED_ADDRESSES, { ...by, value: networks });
  return { version, networks: value };
}

/** Refuses, at its field, a list without the address of whoever saves it. */
export async function changeAddressList(
  { tenant, id: actor }: Actor<"settings:manage">,
  { addresses: networks, version: seen }: AddressListForm,
): Promise<SavedList> {
  const own = await callerAddress();
  if (!isAllowed(networks, own)) {
    const params = own === null ? { code: "address-unknown" } : { code: "own-address-missing", word: own };
    throw new AppError("invalid", { issues: [{ path: ["addresses"], params }] });
  }
  return (await db()).transaction((tx) => change(tx, { tenant, actor, seen, networks }));
}

export const readNetworks = async (store: Db, tenant: string): Promise<string[]> =>
  (await readSetting(store, tenant, ALLOWED_ADDRESSES)).value;

/** Whether this request may work at the tenant from where it comes. */
export const isAllowedAt = async (tenant: string): Promise<boolean> =>
  isAllowed(await readNetworks(await db(), tenant), await callerAddress());

/** The operator's way out of a list that keeps everybody away. */
export const openToAll = (store: Db, tenant: string): Promise<SavedList> =>
  store.transaction((tx) => change(tx, { tenant, actor: "command", seen: null, networks: [] }));
