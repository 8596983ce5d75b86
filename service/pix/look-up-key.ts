import { and, arrayOverlaps, asc, desc, eq } from "drizzle-orm";
import { accountNumber } from "@/service/accounts/onboarding";
import { bankAccount, onboarding } from "@/service/store/schema";
import { isCnpj, isCpf, maskDocument } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";

export const PIX_KEY_TYPES = ["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"] as const;
type Meaning = { type: (typeof PIX_KEY_TYPES)[number]; key: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Eleven digits can be a CPF and a phone at once, as a query's `+` arrives as a space. */
export function meaningsOf(text: string): Meaning[] {
  const key = text.trim();
  if (key.includes("@")) return [{ type: "EMAIL", key: key.toLowerCase() }];
  if (UUID.test(key)) return [{ type: "EVP", key: key.toLowerCase() }];
  const document = normaliseDocument(key);
  const digits = key.replaceAll(/[\s()-]/g, "").replace(/^\+/, "");
  const meanings: Meaning[] = [];
  if (isCpf(document)) meanings.push({ type: "CPF", key: document });
  if (isCnpj(document)) meanings.push({ type: "CNPJ", key: document });
  if (/^\d{10,15}$/.test(digits)) meanings.push({ type: "PHONE", key: `+${digits}` });
  return meanings;
}

const unknownKey = () => notFound("No account has this PIX key");

/** Our assumption: the interface shows neither parameter nor answer. Among several accounts the oldest. 404. */
export async function lookUpPixKey({ db, tenant }: Call, pixKey: string) {
  const meanings = meaningsOf(pixKey);
  const [first] = meanings;
  if (!first) throw unknownKey();
  const keys = meanings.map(({ key }) => key);
  const isNamed = first.type === "EVP" ? eq(bankAccount.id, first.key) : arrayOverlaps(onboarding.pixKeys, keys);
  const [found] = await db
    .select({ onboarding, account: bankAccount })
    .from(onboarding)
    .innerJoin(bankAccount, eq(bankAccount.onboardingId, onboarding.id))
    .where(and(eq(onboarding.clientId, tenant.clientId), eq(bankAccount.status, "ACTIVE"), isNamed))
    .orderBy(desc(eq(onboarding.documentNumber, first.key)), asc(bankAccount.serial))
    .limit(1);
  if (!found) throw unknownKey();
  const { onboarding: row, account } = found;
  const meant = meanings.find(({ key }) => row.pixKeys.includes(key)) ?? first;
  return {
    pixKey: meant.key,
    keyType: meant.type,
    name: row.holderName,
    documentNumber: maskDocument(row.documentNumber),
    type: row.holderType,
    accountId: account.id,
    branch: account.branch,
    account: accountNumber(account),
    accountType: "CACC",
  };
}
