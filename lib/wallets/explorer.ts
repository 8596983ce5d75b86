import type { Network } from "@/lib/contract/crypto";
import { tenantOf } from "@/lib/settings/env";
import type { SafeLink } from "@/lib/text/safe-link";
import { explorerLink } from "./view";

/** Null outside production, as public explorers know only its transactions. */
export const publicLink = (tenant: string, network: Network, hash: string): SafeLink | null =>
  tenantOf(tenant)?.environment === "PRODUCTION" ? explorerLink(network, hash) : null;
