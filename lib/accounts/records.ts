import { and, eq } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { maskWithin } from "@/lib/contract/document";
import { account } from "@/lib/store/schema";
import { db } from "@/lib/store/store";
import { clearAt, type KnownFields, readFields, type ToldField } from "@/lib/text/told-fields";
import { type AccountRow, type AccountStanding, readInformation, standingOf, statusWordIn } from "./standing";
import { ACCOUNT_FIELDS, HOLDER_FIELDS, type RecordFieldName } from "./view";

const KNOWN: KnownFields<RecordFieldName> = {
  fullName: { aliases: ["name", "holderName", "nome", "nomeCompleto", "titular", "nomeTitular"], as: "name" },
  businessName: { aliases: ["legalName", "razaoSocial", "nomeEmpresarial"], as: "name" },
  tradingName: { aliases: ["nomeFantasia"], as: "name" },
  documentNumber: { aliases: ["document", "documento", "numeroDocumento", "cpf", "cnpj", "cpfCnpj"], as: "document" },
  birthDate: { aliases: ["dataNascimento", "nascimento"], as: "date" },
  establishmentDate: { aliases: ["dataConstituicao", "dataFundacao"], as: "date" },
  motherName: { aliases: ["nomeMae"], as: "name" },
  email: { aliases: ["emailAddress", "enderecoEmail"], as: "email" },
  businessEmail: { aliases: ["emailComercial"], as: "email" },
  phoneNumber: { aliases: ["phone", "telefone", "celular", "numeroTelefone"], as: "phone" },
  contactNumber: { aliases: ["telefoneContato", "telefoneComercial"], as: "phone" },
  isPoliticallyExposedPerson: { aliases: ["pep", "isPep", "pessoaPoliticamenteExposta"], as: "open" },
  address: { aliases: ["endereco"], as: "address" },
  businessAddress: { aliases: ["enderecoComercial"], as: "address" },
  status: { aliases: ["accountStatus", "situacao", "statusConta", "situacaoConta"], as: "open" },
  type: { aliases: ["tipo", "tipoPessoa"], as: "open" },
  branch: { aliases: ["agencia", "branchCode"], as: "open" },
  account: { aliases: ["accountNumber", "numeroConta", "conta"], as: "open" },
  accountId: { aliases: ["idConta", "contaId"], as: "open" },
  onBoardingId: { aliases: ["idOnboarding", "idAbertura"], as: "open" },
  userId: { aliases: ["idUsuario", "usuarioId"], as: "open" },
  clientCode: { aliases: ["codigoCliente"], as: "open" },
  createdAt: { aliases: ["criadoEm", "dataCriacao", "creationDate", "dataAbertura"], as: "open" },
  closedAt: { aliases: ["encerradaEm", "dataEncerramento"], as: "open" },
  closingReason: { aliases: ["motivoEncerramento"], as: "hidden" },
};

const PARTNERS = /(?:^|\.)(?:owners?|partners?|socios?|qsa|quadro_?societario|members)\[\d+\]$/i;

export type RecordField = ToldField<RecordFieldName>;

export type AccountRecord = {
  word: string;
  standing: AccountStanding;
  asOf: string;
  name: string;
  holder: RecordField[];
  account: RecordField[];
  partners: RecordField[][];
  documents: RecordField[];
  others: RecordField[];
};

const those = (fields: readonly RecordField[], names: readonly RecordFieldName[]): RecordField[] =>
  names.flatMap((name) => fields.filter((field) => field.name === name));

const isPartners = ({ entry }: RecordField) => entry !== null && PARTNERS.test(entry);

export async function readAccountRecord(actor: Actor, row: AccountRow): Promise<AccountRecord> {
  const { answer, asOf } = await readInformation({ actor, row });
  const word = statusWordIn(answer);
  const fields = readFields(answer, KNOWN);
  const ofPartners = fields.filter(isPartners);
  const entries = [...new Set(ofPartners.map(({ entry }) => entry))];
  const rest = fields.filter((field) => !isPartners(field));
  const own = rest.filter(({ isLink, entry }) => !isLink && entry === null);
  const holder = those(own, HOLDER_FIELDS);
  return {
    word: maskWithin(word),
    standing: standingOf(word),
    asOf: asOf.toISOString(),
    name: holder.find(({ name }) => name === "fullName" || name === "businessName")?.text ?? "",
    holder,
    account: those(own, ACCOUNT_FIELDS),
    partners: entries.map((entry) => ofPartners.filter((field) => field.entry === entry)),
    documents: rest.filter(({ isLink }) => isLink),
    others: rest.filter((field) => !field.isLink && (field.name === null || field.entry !== null)),
  };
}

export async function clearRecordField(actor: Actor, ref: string, path: string): Promise<string | null> {
  const [row] = await (
    await db()
  )
    .select()
    .from(account)
    .where(and(eq(account.tenant, actor.tenant), eq(account.ref, ref)));
  if (row === undefined) throw new BankError("not-found");
  const { answer } = await readInformation({ actor, row });
  return clearAt(answer, path, KNOWN);
}

export async function readHolderName(actor: Actor, row: AccountRow, isNamed: boolean): Promise<string | null> {
  const { answer } = await readInformation({ actor, row });
  const names = ["fullName", "businessName"] as const;
  const fields = readFields(answer, KNOWN, isNamed ? names : []).filter(({ entry }) => entry === null);
  return those(fields, names)[0]?.text ?? null;
}
