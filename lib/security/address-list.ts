import { listSettingSteps, readSetting, type SettingStep } from "@/lib/audit/tenant-setting";
import { ALLOWED_ADDRESSES, isAllowed } from "@/lib/auth/allowed-addresses";
import { callerAddress } from "@/lib/auth/session";
import { db } from "@/lib/db/connection";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { AddressListForm } from "./inputs";
import { changeNetworks, readNetworks, type SavedList } from "./networks";

type AddressStep = Omit<SettingStep<string[]>, "before" | "after"> & { added: string[]; removed: string[] };

type AddressList = {
  version: number;
  networks: string[];
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
  return (await db()).transaction((tx) => changeNetworks(tx, { tenant, actor, seen, networks }));
}

/** Whether this request may work at the tenant from where it comes. */
export const isAllowedAt = async (tenant: string): Promise<boolean> =>
  isAllowed(await readNetworks(await db(), tenant), await callerAddress());
