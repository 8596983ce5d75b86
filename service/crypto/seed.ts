import { entropyToMnemonic, mnemonicToSeed } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { hex } from "@scure/base";
import { instant } from "@/service/clock";
import type { Service } from "@/service/context";
import type { Tx } from "@/service/store/db";
import { walletSeed } from "./schema";

const ENTROPY_BYTES = 32;

/** The installation's BIP-39 seed (64 bytes): made when it is first needed, the same ever after. */
export async function loadSeed({ random, clock }: Service, tx: Tx): Promise<Uint8Array> {
  const [kept] = await tx.select().from(walletSeed);
  if (kept) return hex.decode(kept.seed);
  const made = hex.encode(await mnemonicToSeed(entropyToMnemonic(random(ENTROPY_BYTES), wordlist)));
  await tx
    .insert(walletSeed)
    .values({ id: "seed", seed: made, createdAt: instant(clock) })
    .onConflictDoNothing();
  const [first] = await tx.select().from(walletSeed);
  return hex.decode(first?.seed ?? made);
}
