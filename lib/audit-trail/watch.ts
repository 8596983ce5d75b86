import { z } from "zod";
import { env } from "@/lib/settings/env";
import { publish } from "@/lib/db/publish";
import { log } from "@/lib/log/log";
import { type Db, db } from "@/lib/db/connection";
import { recall, remember } from "@/lib/db/watch-state";
import type { Watch } from "@/lib/watch/watch";
import { checkTenant } from "./check";
import { publicKeyOf, readLastHead, type SignedHead, signHeadWhenDue, signingKey } from "@/lib/audit/head";
import { readHead } from "@/lib/audit/chain";
import type { Trust } from "./verify";

export function ownTrust(): Trust {
  const { auditKey, auditHeadsDir } = env();
  return { directories: [auditHeadsDir], publicKeys: [publicKeyOf(signingKey(auditKey))] };
}

const Signed = z.object({ seq: z.int(), at: z.iso.datetime() });
/** `signed`: the last head, which lies in a file that only the process that signs may see. */
const HeadsState = z
  .object({ seq: z.int(), signed: Signed.nullable().catch(null).default(null) })
  .nullable()
  .catch(null);

const keyOf = (tenant: string) => ({ tenant, name: "audit-heads" });

const readState = async (store: Db, tenant: string) => HeadsState.parse(await recall(store, keyOf(tenant)));

/** As the process that signs noted it; null when none did since the tables are of this version. */
export const readSigned = async (store: Db, tenant: string): Promise<z.infer<typeof Signed> | null> =>
  (await readState(store, tenant))?.signed ?? null;

async function announce(store: Db, tenant: string): Promise<void> {
  const state = await readState(store, tenant);
  const { seq } = await readHead(store, tenant);
  if (seq === state?.seq) return;
  await publish(store, { tenant, topic: "audit" });
  await remember(store, keyOf(tenant), { seq, signed: state?.signed ?? null });
}

async function noteSigned(store: Db, tenant: string, signed: Pick<SignedHead, "seq" | "at"> | null): Promise<void> {
  const state = await readState(store, tenant);
  const newest = signed ?? (state?.signed ? null : (await readLastHead(env().auditHeadsDir, tenant))?.head);
  if (!newest) return;
  const { seq, at } = newest;
  await remember(store, keyOf(tenant), { seq: state?.seq ?? seq, signed: { seq, at } });
}

export const auditHeadsWatch: Watch = {
  name: "audit-heads",
  intervalMs: 5_000,
  async sweep(tenant) {
    const store = await db();
    await announce(store, tenant);
    const { auditKey, auditHeadsDir: directory } = env();
    const signed = await signHeadWhenDue(store, tenant, {
      directory,
      key: signingKey(auditKey),
      now: Date.now,
      ship: (auditHead) => log.info({ auditHead }, "audit head"),
    });
    await noteSigned(store, tenant, signed);
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
