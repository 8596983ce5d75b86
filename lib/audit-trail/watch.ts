import { z } from "zod";
import { env } from "@/lib/settings/env";
import { publish } from "@/lib/db/publish";
import { log } from "@/lib/log/log";
import { db } from "@/lib/db/connection";
import { recall, remember } from "@/lib/db/watch-state";
import type { Watch } from "@/lib/watch/watch";
import { checkTenant } from "./check";
import { publicKeyOf, signHeadWhenDue, signingKey } from "@/lib/audit/head";
import { readHead } from "@/lib/audit/chain";
import type { Trust } from "./verify";

export function ownTrust(): Trust {
  const { auditKey, auditHeadsDir } = env();
  return { directories: [auditHeadsDir], publicKeys: [publicKeyOf(signingKey(auditKey))] };
}

const Announced = z.object({ seq: z.int() }).nullable().catch(null);

async function announce(tenant: string): Promise<void> {
  const store = await db();
  const key = { tenant, name: auditHeadsWatch.name };
  const announced = Announced.parse(await recall(store, key));
  const { seq } = await readHead(store, tenant);
  if (seq === announced?.seq) return;
  await publish(store, { tenant, topic: "audit" });
  await remember(store, key, { seq });
}

export const auditHeadsWatch: Watch = {
  name: "audit-heads",
  intervalMs: 5_000,
  async sweep(tenant) {
    await announce(tenant);
    const { auditKey, auditHeadsDir: directory } = env();
    await signHeadWhenDue(await db(), tenant, {
      directory,
      key: signingKey(auditKey),
      now: Date.now,
      ship: (auditHead) => log.info({ auditHead }, "audit head"),
    });
  },
};

export const auditCheckWatch: Watch = {
  name: "audit-check",
  topic: "audit",
  intervalMs: 60_000,
  async sweep(tenant) {
    const checking = { trust: ownTrust(), directory: env().auditHeadsDir, now: () => new Date() };
    const { fault } = await checkTenant(await db(), tenant, checking);
    if (fault !== null) log.error({ tenant, ...fault }, "the audit record was touched; run npm run audit:verify");
  },
};
