import type { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { bank } from "@/lib/bank/client";
import { getAccountByPixKey } from "@/lib/bank/operations";
import { Required } from "@/lib/contract/shared";
import { STEP_UP } from "@/lib/errors/result";
import { admitReveal } from "@/lib/privacy/reveal";
import { RevealReasoned } from "@/lib/privacy/rules";
import { lookupHash } from "@/lib/store/seal";
import { db } from "@/lib/store/store";
import { type KnownFields, readFields } from "@/lib/text/told-fields";
import { readPixKey } from "./rules";
import type { PixKeyFieldName, PixKeyFound } from "./view";

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
