import { accountsWatch } from "@/lib/accounts/watch";
import { kycWatch } from "@/lib/kyc/watch";
import { OUTCOME_NAMES, type ReadWith, readWith } from "@/lib/permission/writes";
import { recoverWrites } from "@/lib/sent-writes";
import { transfersWatch } from "@/lib/transfers/watch";
import { walletWatch } from "@/lib/wallets/watch";
import type { Watch } from "@/lib/watch/watch";
import { onboardingWatch } from "./onboarding-watch";

const WATCHES: Readonly<Record<ReadWith, Watch>> = {
  "kyc:read": kycWatch,
  "transfers:read": transfersWatch,
  "onboarding:read": onboardingWatch,
  "accounts:read": accountsWatch,
  "wallets:read": walletWatch,
};

export function areaWatch(area: ReadWith): Watch {
  const watch = WATCHES[area];
  return {
    ...watch,
    async sweep(tenant) {
      await recoverWrites(watch.name, tenant, area);
      return watch.sweep(tenant);
    },
  };
}

export const areaWatches: readonly Watch[] = [...new Set(OUTCOME_NAMES.map(readWith))].map(areaWatch);
