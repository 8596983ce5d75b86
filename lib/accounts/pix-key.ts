import type { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { bank } from "@/lib/bank/client";
import { getAccountByPixKey } from "@/lib/bank/operations";
import { isCnpj, isCpf, normaliseDocument } from "@/lib/contract/document";
import { Required } from "@/lib/contract/shared";
import { STEP_UP } from "@/lib/errors/result";
import { admitReveal } from "@/lib/privacy/reveal";
import { RevealReasoned } from "@/lib/privacy/rules";
import { lookupHash } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { isUuid } from "@/lib/text/decode";
import { type KnownFields, readFields } from "@/lib/text/told-fields";
import type { PixKeyFieldName, PixKeyFound } from "./view";

const EMAIL = /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){1,8}$/;
/** Area code and number; eleven digits may be a CPF as well, which is what most keys of eleven digits are. */
const NATIONAL = /^[1-9]\d{9,10}$/;

/** As the central bank's directory writes it: digits alone, `+5511987654321`, a small e-mail or UUID; null for no key. */
export function readPixKey(typed: string): string | null {
  const text = typed.trim();
  if (EMAIL.test(text) || isUuid(text)) return text.toLowerCase();
  const document = normaliseDocument(text);
  if (!text.startsWith("+") && (isCpf(document) || isCnpj(document))) return document;
  const digits = text.replaceAll(/[\s().-]/g, "");
  const national = digits.replace(/^\+?55(?=\d{10,11}$)/, "");
  return NATIONAL.test(national) ? `+55${national}` : null;
}

/** A key, why it is looked up, and a note. */
export const PixKeyLookUp = RevealReasoned.extend({
  pixKey: Required.max(140)
    .refine((typed) => readPixKey(typed) !== null, { params: { code: "pix-key" } })
    .transform((typed) => readPixKey(typed) ?? typed),
});

const KNOWN: KnownFields<PixKeyFieldName> = {
  name: {
    aliases: ["fullName", "holderName", "ownerName", "nome", "nomeCompleto", "titular", "nomeTitular"],
    as: "name",
  },
  documentNumber: { aliases: ["document", "documento", "cpf", "cnpj", "cpfCnpj", "taxId"], as: "document" },
  type: { aliases: ["holderType", "personType", "tipoPessoa"], as: "open" },
  bank: { aliases: ["bankName", "banco", "institution", "instituicao", "participantName", "nomeBanco"], as: "open" },
  ispb: { aliases: ["bankIspb", "participant", "ispbCode"], as: "open" },
  branch: { aliases: ["agencia", "branchCode"], as: "open" },
  account: { aliases: ["accountNumber", "numeroConta", "conta"], as: "open" },
  accountType: { aliases: ["bankAccountType", "tipoConta"], as: "open" },
  accountId: { aliases: ["idConta", "contaId"], as: "open" },
  keyType: { aliases: ["pixKeyType", "tipoChave"], as: "open" },
  pixKey: { aliases: ["key", "chave", "chavePix"], as: "hidden" },
};

type Payer = Actor<"transfers:create">;

/**
 * Whose a PIX key is, as the provider tells: the name in clear, the document masked. On record with its reason before the
 * provider is asked. Throws not-found `pix-key-unknown`, and forbidden `step-up` beyond twenty reveals within an hour.
 */
export async function lookUpPixKey(actor: Payer, asked: z.output<typeof PixKeyLookUp>): Promise<PixKeyFound> {
  const { pixKey, reason, note } = asked;
  const store = await db();
  const object = `pix-key:${lookupHash(pixKey)}` as const;
  const isAdmitted = await store.transaction((tx) =>
    admitReveal(tx, actor, { code: "pix-key.look-up", object, reason, note, detail: {} }),
  );
  if (!isAdmitted) throw new BankError("forbidden", { code: STEP_UP });
  try {
    const { answer, asOf } = await bank.get(actor, getAccountByPixKey, { query: { pixKey } });
    const fields = readFields<PixKeyFieldName>(answer, KNOWN, ["name"]).filter(({ name }) => name !== "pixKey");
    return { pixKey, fields, asOf: asOf.toISOString() };
  } catch (error) {
    if (!(error instanceof BankError) || error.kind !== "not-found") throw error;
    throw new BankError("not-found", { ...error.details, code: "pix-key-unknown" });
  }
}
