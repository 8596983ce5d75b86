import { useTranslations } from "next-intl";
import type { Network } from "@/lib/contract/crypto";

export function useNetworkNames(): (networks: readonly Network[]) => string {
  const t = useTranslations("wallets.networks");
  return (networks) => (networks.length === 0 ? "none" : networks.map((network) => t(network)).join(", "));
}
