import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/client";
import { getTransaction } from "@/lib/bank/operations";
import { type KnownFields, readFields, type ToldField } from "@/lib/text/told-fields";
import type { EntryQuery } from "./rules";
import type { EntryFieldName } from "./view";

const KNOWN: KnownFields<EntryFieldName> = {
  transactionId: { aliases: ["idTransacao", "transacaoId"], as: "open" },
  endToEndId: { aliases: ["e2eId", "e2e", "endToEnd", "idEndToEnd", "idE2e", "pixEndToEndId"], as: "open" },
  status: { aliases: ["situacao", "estado"], as: "open" },
  type: { aliases: ["tipo"], as: "open" },
  direction: { aliases: ["sentido"], as: "open" },
  amount: { aliases: ["valor", "value"], as: "open" },
  date: { aliases: ["data", "createdAt", "criadoEm"], as: "open" },
  description: { aliases: ["descricao"], as: "open" },
  name: { aliases: ["fullName", "holderName", "nome", "nomeCompleto", "nomeTitular"], as: "name" },
  documentNumber: { aliases: ["document", "documento", "numeroDocumento", "cpf", "cnpj", "cpfCnpj"], as: "document" },
  bankName: { aliases: ["institutionName", "nomeBanco", "banco", "instituicao"], as: "open" },
  institutionCode: { aliases: ["bankCode", "codigoBanco"], as: "open" },
  institutionIspb: { aliases: ["ispb"], as: "open" },
  branch: { aliases: ["branchCode", "agencia"], as: "open" },
  account: { aliases: ["accountCode", "accountNumber", "numeroConta", "conta"], as: "open" },
  bankAccountType: { aliases: ["accountType", "tipoConta"], as: "open" },
  accountId: { aliases: ["idConta", "contaId"], as: "open" },
  antifraudId: { aliases: ["idAntifraude"], as: "open" },
  pendingExpiresAt: { aliases: ["expiraEm"], as: "open" },
  decidedAt: { aliases: ["decididoEm"], as: "open" },
};

const COUNTERPARTY =
  /(?:^|\.)(?:counter_?party|contra_?parte|payer|payee|pagador|recebedor|favorecido|beneficiario|beneficiary|destinatario|remetente|recipient|sender|origem|destino)(?:\.|\[)/i;

export type EntryField = ToldField<EntryFieldName>;

export type EntryDetail = {
  entry: EntryField[];
  counterparty: EntryField[];
  others: EntryField[];
  asOf: string;
};

type Asking = { documentNumber: string; object: string } & EntryQuery;

function askTransaction(actor: Actor, { documentNumber, object, transaction, direction }: Asking) {
  // Of two accounts of one holder both know it: only the one that it came to is asked for by its side.
  const cashIn = direction === "CREDIT" ? "true" : undefined;
  return bank.get(actor, getTransaction, { object, query: { transactionId: transaction, documentNumber, cashIn } });
}

const isOther = ({ name }: EntryField) => name === null;
const isCounterparty = ({ path, name }: EntryField) => name !== null && COUNTERPARTY.test(path);

/** Masked; of a file that leaves the house (`isNamed`) the other side's name is in clear, and its document never. */
export async function readEntry(actor: Actor, asking: Asking, isNamed = false): Promise<EntryDetail> {
  const { answer, asOf } = await askTransaction(actor, asking);
  const fields = readFields(answer, KNOWN, isNamed ? ["name"] : []);
  return {
    entry: fields.filter((field) => !isOther(field) && !isCounterparty(field)),
    counterparty: fields.filter(isCounterparty),
    others: fields.filter(isOther),
    asOf: asOf.toISOString(),
  };
}
