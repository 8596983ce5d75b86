import { COINS } from "./coins";
import { NETWORKS, type Network } from "./crypto";

const OTHER_NAMES: Readonly<Record<Network, readonly string[]>> = {
  ETHEREUM: ["ERC-20", "Ethereum Mainnet"],
  POLYGON: ["Polygon PoS", "MATIC"],
  BSC: ["BNB Chain", "BNB Smart Chain", "Binance Smart Chain", "BEP-20"],
  BITCOIN: [],
  TRON: ["TRC-20"],
  SOLANA: [],
  XRPL: ["XRP Ledger", "Ripple"],
};

const plain = (name: string) => name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();

const BY_NAME: ReadonlyMap<string, Network> = new Map(
  NETWORKS.flatMap((network) =>
    [network, COINS[network], ...OTHER_NAMES[network]].map((name) => [plain(name), network] as const),
  ),
);

/** The network that people mean: by the interface's name, the one on screens, its coin or its token standard. */
export const typedNetwork = (text: string): Network | null => BY_NAME.get(plain(text)) ?? null;
