import type { Call } from "@/service/context";
import { type KycMember, kycCharge, kycDecision, kycProcess, kycWebview } from "@/service/store/schema";
import { secretText, uuid } from "@/service/random";
import type { Tx } from "@/service/store/transaction";
import { type Dice, type Documents, someCompanyName, someDate, someMother, someName, somePartner } from "./people";

type ProcessRow = typeof kycProcess.$inferInsert;
type Stage = Pick<ProcessRow, "process" | "status">;
type Subject = Pick<ProcessRow, "kycType" | "vatNumber" | "name" | "birthDate" | "motherName"> & {
  members: KycMember[];
};
type World = { dice: Dice; documents: Documents };

export type Customer = { holderType: "PF" | "PJ"; documentNumber: string; holderName: string };

const HOUR_MS = 3_600_000;
const PROCESSES = 72;
const REASONS = [
  "Documentação conferida com as bases públicas; sem apontamentos.",
  "Nome da mãe divergente do documento apresentado.",
  "Sócio administrador confirmado no contrato social.",
  "Mídia negativa relevante confirmada em duas fontes.",
] as const;

/** Newest first. */
function stageOf(dice: Dice, index: number): Stage {
  if (index < 12) return { process: "kyc-backgroundcheck", status: "PROCESSING" };
  const process = dice.chance(0.45) ? "kyc-documentscopy" : "kyc-backgroundcheck";
  if (index < 30) return { process, status: "PENDING" };
  if (index < 34) return { process: "kyc-documentscopy", status: "PROCESSING" };
  return { process, status: dice.chance(0.75) ? "APPROVED" : "REPROVED" };
}

export function someMember(dice: Dice, documents: Documents, ownerType: "SOCIO_ADMINISTRADOR" | "SOCIO") {
  const { fullName: name, documentNumber: vatNumber, birthDate, motherName } = somePartner(dice, documents);
  return { ownerType, vatNumber, name, birthDate, motherName };
}

function someMembers(dice: Dice, documents: Documents): KycMember[] {
  const others = Array.from({ length: dice.int(0, 2) }, () => someMember(dice, documents, "SOCIO"));
  return [someMember(dice, documents, "SOCIO_ADMINISTRADOR"), ...others];
}

function someSubject({ dice, documents }: World, customer: Customer | undefined): Subject {
  const kycType = customer?.holderType ?? (dice.chance(0.3) ? "PJ" : "PF");
  if (kycType === "PJ") {
    const name = customer?.holderName ?? someCompanyName(dice).businessName;
    const vatNumber = customer?.documentNumber ?? documents.cnpj(dice.chance(0.2));
    return { kycType, vatNumber, name, birthDate: null, motherName: null, members: someMembers(dice, documents) };
  }
  const name = customer?.holderName ?? someName(dice);
  const person = { birthDate: someDate(dice, 1955, 2005), motherName: someMother(dice), members: [] };
  return { kycType, vatNumber: customer?.documentNumber ?? documents.cpf(), name, ...person };
}

function toRow(
  call: Call,
  world: World,
  { index, customer }: { index: number; customer: Customer | undefined },
): ProcessRow {
  const { dice } = world;
  const stage = stageOf(dice, index);
  const ageMs = (index < 12 ? 0.1 + index * 0.4 : 5 + index * 7) * HOUR_MS * (0.8 + 0.4 * dice.fraction());
  const createdAtMs = call.clock.now() - ageMs;
  return {
    ...someSubject(world, customer),
    ...stage,
    kycUuid: uuid(call.random),
    clientId: call.tenant.clientId,
    model: dice.pick(["BASIC", "BASIC", "MEDIUM", "COMPLETE"] as const),
    documentscopy: stage.process === "kyc-documentscopy" || dice.chance(0.2),
    createdAt: new Date(createdAtMs),
    updatedAt: new Date(createdAtMs + Math.min(ageMs, dice.int(1, 5) * HOUR_MS)),
  };
}

function webviewsOf(call: Call, row: ProcessRow) {
  const holders = row.kycType === "PF" ? [row] : (row.members ?? []);
  return holders.map(({ vatNumber }, position) => ({
    token: secretText(call.random),
    kycUuid: row.kycUuid,
    position,
    vatNumber,
    finishedAt: row.status === "PENDING" ? null : (row.updatedAt ?? null),
  }));
}

function decisionOf(dice: Dice, { kycUuid, status, updatedAt: decidedAt }: ProcessRow) {
  const [approved, reproved, confirmed, media] = REASONS;
  if (status === "APPROVED") return { kycUuid, decidedAt, decision: status, reason: dice.pick([approved, confirmed]) };
  if (status === "REPROVED") return { kycUuid, decidedAt, decision: status, reason: dice.pick([reproved, media]) };
  return [];
}

export async function fillKyc(call: Call, tx: Tx, { customers, ...world }: World & { customers: readonly Customer[] }) {
  const rows = Array.from({ length: PROCESSES }, (_, index) =>
    toRow(call, world, { index, customer: index % 3 === 0 ? customers[(index * 7) % customers.length] : undefined }),
  ).toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  await tx.insert(kycProcess).values(rows);
  await tx.insert(kycCharge).values(
    rows.map(({ kycUuid, clientId, kycType, model, createdAt: chargedAt }) => {
      return { kycUuid, clientId, kycType, model, chargedAt };
    }),
  );
  const inDocuments = rows.filter(({ process }) => process === "kyc-documentscopy");
  await tx.insert(kycWebview).values(inDocuments.flatMap((row) => webviewsOf(call, row)));
  await tx.insert(kycDecision).values(rows.slice(0, 24).flatMap((row) => decisionOf(world.dice, row)));
}
