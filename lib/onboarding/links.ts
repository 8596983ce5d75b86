import { randomUUID } from "node:crypto";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "@/lib/store/store";
import { onboardingLink } from "./schema";

type Which = { tenant: string; onboardingId: string };

const HOST_MAX_LENGTH = 253;

/** The host of an address, in the letters that are looked up; empty for what is none. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.slice(0, HOST_MAX_LENGTH) : "");

const isOf = ({ tenant, onboardingId }: Which) =>
  and(eq(onboardingLink.tenant, tenant), eq(onboardingLink.onboardingId, onboardingId));

/** Whether it ever had a biometric link. */
export async function hadLink(tx: Tx, which: Which): Promise<boolean> {
  return (await tx.$count(onboardingLink, isOf(which))) > 0;
}

/** Keeps that the biometric link is another one now, or that there is none any more; `at` is when that was seen. */
export async function turnLink(tx: Tx, which: Which, { url, at }: { url: string | null; at: Date }): Promise<void> {
  await tx
    .update(onboardingLink)
    .set({ goneAt: at })
    .where(and(isOf(which), isNull(onboardingLink.goneAt)));
  if (url === null) return;
  const { tenant, onboardingId } = which;
  await tx.insert(onboardingLink).values({ id: randomUUID(), tenant, onboardingId, host: hostOf(url), appearedAt: at });
}

/** The link to use now, as its history names it; null when there is none. */
export async function openLink(tx: Tx, which: Which): Promise<string | null> {
  const [link] = await tx
    .select({ id: onboardingLink.id })
    .from(onboardingLink)
    .where(and(isOf(which), isNull(onboardingLink.goneAt)))
    .orderBy(desc(onboardingLink.appearedAt))
    .limit(1);
  return link?.id ?? null;
}
