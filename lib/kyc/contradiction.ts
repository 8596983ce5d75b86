import { and, desc, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { KycProcessName, KycStatus } from "@/lib/contract/kyc";
import type { Db, Tx } from "@/lib/db/connection";
import { publishAll } from "@/lib/db/publish";
import { kycEvent } from "@/lib/db/tables/kyc";
import { providerWord } from "@/lib/text/provider-word";
import { type CaseEvent, noteCaseEvents } from "./events";

export type Contradiction = { process: KycProcessName; status: KycStatus; other: KycStatus };

const status = z.string().transform((word) => KycStatus.parse(providerWord(word)));
const process = z.string().transform((word) => KycProcessName.parse(providerWord(word)));
const Detail = z.object({ process, status, other: status });

const TOLD = ["contradicted", "agreed"] as const;

export async function openContradictions(
  store: Db | Tx,
  tenant: string,
  kycUUIDs: readonly string[],
): Promise<ReadonlyMap<string, Contradiction>> {
  if (kycUUIDs.length === 0) return new Map();
  const rows = await store
    .selectDistinctOn([kycEvent.kycUUID], { kycUUID: kycEvent.kycUUID, kind: kycEvent.kind, detail: kycEvent.detail })
    .from(kycEvent)
    .where(
      and(eq(kycEvent.tenant, tenant), inArray(kycEvent.kind, [...TOLD]), inArray(kycEvent.kycUUID, [...kycUUIDs])),
    )
    .orderBy(kycEvent.kycUUID, desc(kycEvent.id));
  return new Map(
    rows.flatMap(({ kycUUID, kind, detail }) => {
      const read = kind === "contradicted" ? Detail.safeParse(detail) : null;
      return read?.success === true ? [[kycUUID, read.data] as const] : [];
    }),
  );
}

type ToldNow = { kycUUID: string; contradiction: Contradiction | null };

type Noting = {
  tenant: string;
  known: ReadonlyMap<string, Contradiction>;
  isWhole: boolean;
};

export async function noteContradictions(tx: Db | Tx, told: readonly ToldNow[], noting: Noting): Promise<void> {
  const { tenant, known, isWhole } = noting;
  const events = told.flatMap(({ kycUUID, contradiction }): CaseEvent[] => {
    const what = { tenant, kycUUID, actor: null };
    const before = known.get(kycUUID);
    if (contradiction === null)
      return before === undefined || !isWhole ? [] : [{ ...what, kind: "agreed", detail: before }];
    const isKnown = before !== undefined && JSON.stringify(before) === JSON.stringify(contradiction);
    return isKnown ? [] : [{ ...what, kind: "contradicted", detail: contradiction }];
  });
  await noteCaseEvents(tx, events);
  await publishAll(tx, { tenant, topic: "kyc", objects: events.map(({ kycUUID }) => kycUUID) });
}
