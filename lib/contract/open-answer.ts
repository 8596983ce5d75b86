import { LosslessNumber } from "lossless-json";
import { z } from "zod";
import { isCnpj, isCpf, maskWithin } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { OpenRecord } from "@/lib/contract/shared";

/** An answer or a payload that the interface does not document: any JSON value. */
export const OpenAnswer = z.unknown();

/** Field names under which each fact may appear; `conta.situacao`: a field within that object. */
const NAMES = {
  onboardingId: [
    "onBoardingId",
    "onboarding.id",
    "idOnboarding",
    "idAbertura",
    "aberturaId",
    "abertura.id",
    "idProposta",
    "propostaId",
    "proposta.id",
    "proposalId",
    "proposal.id",
    "onboardingUuid",
    "uuidAbertura",
    "codigoAbertura",
    "numeroAbertura",
    "protocoloAbertura",
    "codigoProposta",
    "numeroProposta",
    "idSolicitacao",
    "solicitacaoId",
    "solicitacao.id",
    "idCadastro",
    "cadastroId",
    "cadastro.id",
  ],
  kycId: ["kycUUID", "kyc.uuid", "kycId", "idKyc"],
  accountId: ["accountId", "idConta", "contaId", "account.id", "conta.id"],
  accountNumber: ["account", "accountNumber", "numeroConta", "conta", "account.number", "conta.numero"],
  branch: ["branch", "agencia", "branchCode", "account.branch", "conta.agencia"],
  walletId: ["walletId", "idCarteira", "carteiraId", "wallet.id", "carteira.id"],
  userId: ["userId", "idUsuario", "usuarioId", "user.id", "usuario.id"],
  network: ["network", "rede"],
  paidAddress: [
    "address",
    "endereco",
    "toAddress",
    "enderecoDestino",
    "walletAddress",
    "wallet.address",
    "carteira.endereco",
  ],
  transactionHash: ["txHash", "hash", "transactionHash", "txId", "hashTransacao", "transaction.hash", "transacao.hash"],
  amount: ["amount", "valor", "quantia", "quantidade", "quantity"],
  asset: ["asset", "ativo", "symbol", "simbolo", "token.symbol", "asset.symbol"],
  tokenAddress: ["tokenAddress", "contractAddress", "enderecoToken", "token.address", "contrato", "token.contract"],
  occurredAt: ["timestamp", "occurredAt", "ocorridoEm", "dataHora", "receivedAt", "recebidoEm"],
  currency: ["currency", "currencyCode", "currency.code", "moeda", "codigoMoeda", "moeda.codigo"],
  issuer: ["issuer", "issuerAddress", "issuer.address", "emissor", "enderecoEmissor", "emissor.endereco"],
  transactionId: ["transactionId", "idTransacao", "transacaoId", "transaction.id", "transacao.id"],
  endToEndId: ["endToEndId", "e2eId", "endToEnd", "idFimAFim"],
  /** The outgoing transaction that a credit returns. */
  returnOf: [
    "originalTransactionId",
    "originalTransaction.id",
    "returnedTransactionId",
    "returnOf",
    "refundOf",
    "reversalOf",
    "relatedTransactionId",
    "idTransacaoOriginal",
    "transacaoOriginal",
    "transacaoOriginal.id",
  ],
  antifraudId: ["antifraudId", "idAntifraude", "antifraudeId", "antifraud.id", "antifraude.id"],
  decidedAt: ["decidedAt", "decididoEm", "decididaEm", "dataDecisao", "releasedAt", "liberadaEm", "liberadoEm"],
  date: ["date", "data", "dataHora"],
  returnOfEndToEnd: ["originalEndToEndId", "endToEndIdOriginal", "e2eIdOriginal"],
  accountStatus: [
    "accountStatus",
    "accountState",
    "statusConta",
    "statusDaConta",
    "situacaoConta",
    "situacaoDaConta",
    "estadoConta",
    "account.status",
    "account.state",
    "conta.status",
    "conta.situacao",
    "conta.estado",
    "contaCorrente.situacao",
    "contaCorrente.status",
  ],
  status: ["status", "situacao", "estado", "state"],
  state: [
    "status",
    "situacao",
    "estado",
    "state",
    "transferStatus",
    "transactionStatus",
    "statusTransferencia",
    "situacaoTransferencia",
    "statusTransacao",
    "situacaoTransacao",
    "statusConta",
    "situacaoConta",
    "accountStatus",
  ],
  failure: ["error", "erro", "errorCode", "codigoErro"],
  isDone: ["success", "sucesso", "isSuccess", "approved", "aprovado", "aprovada"],
  message: ["message", "mensagem", "motivo", "motivoRecusa", "statusMessage", "reason", "detalhe"],
  document: [
    "documentNumber",
    "document",
    "documento",
    "cpf",
    "cnpj",
    "cpfCnpj",
    "vatNumber",
    "numeroDocumento",
    "taxId",
    "document.number",
    "documento.numero",
    "inscricao",
    "inscricaoFederal",
    "numeroInscricao",
    "nrDocumento",
    "docTitular",
    "cpfTitular",
    "cnpjEmpresa",
    "documentoTitular",
    "holderDocument",
  ],
  createdAt: ["createdAt", "criadoEm", "dataCriacao", "creationDate"],
  url: ["url", "endpoint", "enderecoUrl", "callbackUrl", "webhookUrl", "urlDestino"],
  events: ["events", "eventos", "event", "evento", "eventTypes", "tiposEvento", "topics", "topicos", "subscriptions"],
  eventName: ["event", "evento", "type", "tipo", "name", "nome", "topic", "topico"],
  isActive: ["active", "isActive", "ativo", "ativa", "enabled", "habilitado", "habilitada"],
  totalPages: ["totalPages", "totalPaginas", "pageCount", "qtdPaginas"],
} as const;
export type FieldName = keyof typeof NAMES;

/** A value that was understood, and its path: `resposta.dados.situacao`. */
export type Understood = { text: string; path: string };

const MAX_LEVELS = 8;

/** `id_abertura`, `idAbertura` and `ID Abertura` are one name. */
export const plainName = (name: string) =>
  name
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

const isNamed = (wanted: FieldName, name: string) => NAMES[wanted].some((one) => plainName(one) === name);

type Level = { value: unknown; path: string; name: string };

function recordIn(value: unknown): OpenRecord | null {
  if (Array.isArray(value) || value instanceof LosslessNumber) return null;
  return OpenRecord.safeParse(value).data ?? null;
}

/** Names that say what kind an entry is, not facts about the record. */
const LABELS = ["id", "type", "tipo", "name", "nome", "key", "chave", "label", "rotulo"];

const tellingOf = (record: OpenRecord) => Object.entries(record).filter(([key]) => !LABELS.includes(plainName(key)));

/** An object, or the only one in a list: among several of a kind the right one is unknown. */
function objectIn(value: unknown): OpenRecord | null {
  if (!Array.isArray(value)) return recordIn(value);
  const entries: unknown[] = value.flat(MAX_LEVELS);
  const records = entries.map(recordIn).filter((one) => one !== null);
  const [only, ...others] = records;
  if (others.length === 0) return only ?? null;
  const fields = records.flatMap(tellingOf);
  const names = new Set(fields.map(([key]) => plainName(key)));
  return names.size === fields.length ? Object.fromEntries(fields) : null;
}

const fieldsOf = ({ value, path, name }: Level): (Level & { owner: string })[] =>
  Object.entries(objectIn(value) ?? {}).map(([key, one]) => ({
    value: one,
    path: path === "" ? key : `${path}.${key}`,
    name: plainName(key),
    owner: name,
  }));

function textOf(value: unknown): string | null {
  if (value instanceof LosslessNumber) return value.value;
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** An envelope's status says how the call went (interface: Endpoints › Common rules). */
function isOfEnvelope(root: unknown, { path }: Level): boolean {
  const envelope = objectIn(root);
  return (
    path === "status" && envelope !== null && ["data", "body", "httpCode", "when"].some((name) => name in envelope)
  );
}

type EntryReader<Value> = (value: unknown) => Value | null;

/** The value under one of the names, nearest to the top. */
function nearest<Value>(
  answer: unknown,
  wanted: FieldName,
  read: EntryReader<Value>,
): { value: Value; path: string }[] {
  let level: Level[] = [{ value: answer, path: "", name: "" }];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    const fields = level.flatMap(fieldsOf);
    const found = fields.flatMap((field) => {
      const value = read(field.value);
      const isWanted = isNamed(wanted, field.name) || isNamed(wanted, field.owner + field.name);
      return value !== null && isWanted && !isOfEnvelope(answer, field) ? [{ value, path: field.path }] : [];
    });
    if (found.length > 0) return found;
    level = fields;
  }
  return [];
}

/**
 * The value nearest to the top under one of the names; null when absent or contradictory. Lists of several entries are
 * not searched.
 */
export function findIn(answer: unknown, wanted: FieldName): Understood | null {
  const [first, ...others] = nearest(answer, wanted, textOf);
  if (first === undefined || others.some(({ value }) => value !== first.value)) return null;
  return { text: first.value, path: first.path };
}

const TOLD_IN = ["description", "descricao", "name", "nome", "value", "valor", "code", "codigo"];

/** An address also has an `estado`, with one of these codes. */
const OF_BRAZIL = /^(?:A[CLMP]|BA|CE|DF|ES|GO|M[AGST]|P[ABEIR]|R[JNORS]|S[CEP]|TO)$/;

/** The words of one state, or of an object that describes it. Numbers are HTTP statuses or codes. */
function wordsOf(value: unknown): string[] | null {
  const within = objectIn(value);
  const told = within === null ? [] : Object.entries(within).filter(([name]) => TOLD_IN.includes(plainName(name)));
  const texts =
    within === null
      ? [value]
      : TOLD_IN.flatMap((name) => told.filter(([key]) => plainName(key) === name).map(([, one]) => one));
  const words = texts.flatMap((one) => (typeof one === "string" ? (textOf(one) ?? []) : []));
  const own = words.filter((word) => /\p{L}/u.test(word) && !isOfAnswer(word) && !OF_BRAZIL.test(word));
  return own.length === 0 ? null : own;
}

/** The words of each account status in an answer, the account's own first. */
export function accountWordsIn(answer: unknown): string[][] {
  const own = nearest(answer, "accountStatus", wordsOf);
  return (own.length > 0 ? own : nearest(answer, "status", wordsOf)).map(({ value }) => value);
}

/** The words for the result of a call: its envelope, the nearest status, an error, a `success: false`. */
export function stateWordsIn(answer: unknown): string[][] {
  const ofEnvelope = wordsOf(objectIn(answer)?.["status"]);
  const told = [...nearest(answer, "state", wordsOf), ...nearest(answer, "failure", wordsOf)].map(({ value }) => value);
  const denied = nearest(answer, "isDone", (value) => (value === false ? "false" : null));
  return [...(ofEnvelope === null ? [] : [ofEnvelope]), ...told, ...denied.map(({ path }) => [`${path}: false`])];
}

/** `CD_SITUACAO`, `situacaoCadastral`, `statusAtual`: the account's status, and not its holder's or its card's. */
const STATUS_NAME =
  /^(?:cd|cod|codigo|ds|dsc|desc|descricao|nm|st|current|account|conta|contacorrente)?(?:status|situacao|situation|sit|standing)(?:d[aoe])?(?:current|account|conta|contacorrente|cadastro|cadastral|atual|corrente|registro|descricao|desc|name|nome)?$/;

export function knownStatusIn(answer: unknown, isKnown: (word: string) => boolean): string | null {
  return onlyLeaf(answer, (text, { name }) => STATUS_NAME.test(name) && isKnown(text));
}

const ANSWERED = ["success", "sucesso", "ok"];

/** Whether a status only says that the call succeeded: the interface's Balance has such a one. */
export const isOfAnswer = (word: string): boolean => ANSWERED.includes(plainName(word));

function onlyLeaf(
  answer: unknown,
  isIt: (text: string, field: { name: string; owner: string }) => boolean,
): string | null {
  const found = new Set<string>();
  let level: Level[] = [{ value: answer, path: "", name: "" }];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    const fields = level.flatMap(fieldsOf);
    for (const field of fields) {
      const text = textOf(field.value);
      if (text !== null && isIt(text, field)) found.add(text);
    }
    level = fields;
  }
  const [only = null, another] = found;
  return another === undefined ? only : null;
}

const OPENING = /onboarding|abertura|propost|proposal|solicitacao|cadastro|adesao/;
const ID_NAME = /(?:id|uuid|codigo|code|numero|number|protocolo|chave|key)$/;
const DOCUMENT_NAME = /cpf|cnpj|doc|inscricao|taxid|taxnumber|vat|contribuinte/;

export const openingIdIn = (answer: unknown): string | null =>
  onlyLeaf(answer, (_, { name, owner }) => OPENING.test(owner + name) && ID_NAME.test(name));

const isDocument = (text: string) => isCpf(text) || isCnpj(text);

/** A holder's CPF or CNPJ, digits only; null when masked, missing or ambiguous. */
export function documentIn(answer: unknown): string | null {
  const named = normaliseDocument(findIn(answer, "document")?.text ?? "");
  if (isDocument(named)) return named;
  const only = onlyLeaf(answer, (text, { name }) => DOCUMENT_NAME.test(name) && isDocument(normaliseDocument(text)));
  return only === null ? null : normaliseDocument(only);
}

const HTTP = /^https?:\/\//i;

export const addressIn = (answer: unknown): string | null =>
  nearest(answer, "url", (value) => (HTTP.test(textOf(value) ?? "") ? textOf(value) : null))[0]?.value ??
  onlyLeaf(answer, (text) => HTTP.test(text));

export function statusIn(answer: unknown): string {
  const word = findIn(answer, "status")?.text;
  if (word !== undefined) return word;
  const [told] = nearest(answer, "isActive", (value) => (typeof value === "boolean" ? String(value) : null));
  return told === undefined ? "" : told.value === "true" ? "ACTIVE" : `${told.path}: false`;
}

const USER_ID_MAX = 200;

/** The user id of an account or a wallet; empty when absent, or when it may be a document. */
export function userIdIn(answer: unknown): string {
  const told = findIn(answer, "userId")?.text ?? "";
  return told.length > USER_ID_MAX || /[*•]/.test(told) || maskWithin(told) !== told ? "" : told;
}

const Words = z.union([z.array(z.string()), z.string().transform((word) => [word])]);

function namesOf(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const names = value.flatMap((one) => findIn(one, "eventName")?.text ?? []);
  return names.length === value.length ? names : null;
}

export const wordsIn = (answer: unknown, wanted: FieldName): string[] | null =>
  nearest(answer, wanted, (value) => Words.safeParse(value).data ?? namesOf(value))[0]?.value ?? null;

export type OpenList<Entry> = {
  understood: Entry[];
  /** Unreadable entries of the list, as they came. */
  others: unknown[];
  /** A list exists, maybe an empty one. */
  isList: boolean;
};

/** A list without any readable entry may contain another one. */
function listsIn(answer: unknown, isUnderstood: (entry: unknown) => boolean): unknown[][] {
  const lists: unknown[][] = [];
  type Place = { value: unknown; isWithin: boolean };
  let level: Place[] = [{ value: answer, isWithin: false }];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap(({ value, isWithin }): Place[] => {
      if (!Array.isArray(value)) return Object.values(recordIn(value) ?? {}).map((one) => ({ value: one, isWithin }));
      const isList = value.some(isUnderstood);
      if (isList || !isWithin) lists.push(value);
      return isList ? [] : value.map((one: unknown) => ({ value: one, isWithin: true }));
    });
  }
  return lists;
}

/** The entries of an answer's list at any depth: every list with a readable entry, or else the longest. */
export function readList<Entry>(answer: unknown, understand: (entry: unknown) => Entry | null): OpenList<Entry> {
  const lists = listsIn(answer, (entry) => understand(entry) !== null).map((entries) =>
    entries.map((entry) => ({ entry, read: understand(entry) })),
  );
  const ofThese = lists.filter((entries) => entries.some(({ read }) => read !== null));
  const [longest = []] = lists.toSorted((one, other) => other.length - one.length);
  const entries = ofThese.length === 0 ? longest : ofThese.flat();
  return {
    understood: entries.flatMap(({ read }) => (read === null ? [] : [read])),
    others: entries.flatMap(({ entry, read }) => (read === null ? [entry] : [])),
    isList: lists.length > 0,
  };
}
