import { type Network, NETWORKS } from "@/lib/contract/crypto";
import { EXPLORERS } from "@/lib/wallets/view";

/** As customers paste them; an explorer of several networks names each in its path. */
const OTHER_EXPLORERS: Readonly<Record<Network, readonly string[]>> = {
  ETHEREUM: [
    "eth.blockscout.com",
    "ethplorer.io",
    "blockchair.com/ethereum",
    "blockchain.com/explorer/transactions/eth",
  ],
  POLYGON: ["polygon.blockscout.com", "blockchair.com/polygon", "oklink.com/polygon"],
  BSC: ["bsctrace.com", "blockchair.com/bnb", "oklink.com/bsc"],
  BITCOIN: ["blockstream.info", "btcscan.org", "blockchair.com/bitcoin", "blockchain.com/explorer/transactions/btc"],
  TRON: ["tronscan.io", "blockchair.com/tron", "oklink.com/tron"],
  SOLANA: ["explorer.solana.com", "solana.fm", "blockchair.com/solana", "oklink.com/solana"],
  XRPL: ["xrpl.org", "xrpscan.com", "bithomp.com", "blockchair.com/xrp-ledger"],
};

const LINK = /^(?:[a-z]+:\/\/)?(?<host>(?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(?<path>[/?#].*)?$/i;

/** The network that a link of an explorer is about, also of its subdomains; null for anything else. */
export function networkOfLink(link: string): Network | null {
  const { host = "", path = "" } = LINK.exec(link.toLowerCase())?.groups ?? {};
  const isAt = (explorer: string) => {
    const [domain = "", ...segments] = explorer.split("/");
    return `.${host}`.endsWith(`.${domain}`) && `${path}/`.startsWith(["", ...segments, ""].join("/"));
  };
  return NETWORKS.find((network) => [EXPLORERS[network].host, ...OTHER_EXPLORERS[network]].some(isAt)) ?? null;
}
