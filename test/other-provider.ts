import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJson, stringifyJson } from "@/lib/contract/json";

type Serve = (request: Request) => Response | Promise<Response>;

/** How a list is paged. The embedded service: from 1, with `limit` items, newest first. */
export type Listing = {
  firstPage?: 0 | 1;
  /** The most items on a page, whatever `limit` says. */
  pageSize?: number;
  /** `first-page`: the same one for any page. `echoed`: the same, but labelled with the requested number. `everything`: all items on each. */
  paging?: "first-page" | "echoed" | "everything";
  order?: "oldest" | { shuffledBy: string };
  /** Repeats the last page for any later one. */
  beyond?: "last-page";
  totals?: "untold";
};

/** What this provider does where the interface is silent, instead of the embedded service's way. */
export type Manner = {
  /** `records: "per-process"`: a case with document-scopy has one record for each of its two processes, maybe on two pages. */
  kyc?: Listing & { records?: "per-process" };
  history?: Listing & {
    /** `sign`: a debit has a minus, and no entry has a word; `absent`: nothing gives the direction. */
    directions?: { CREDIT: string; DEBIT: string } | "sign" | "absent";
    /** A civil date of America/Sao_Paulo without its time. */
    dates?: "day";
    /** Its own ids, unknown to `getTransactionById`; `named`: beside the antifraud's. */
    ids?: "named" | "unnamed";
  };
  accounts?: Listing;
  wallets?: { pageSize: number };
  /** For the XRP Ledger: a balance names the issuer alone, or currency and issuer by name; transfers have no `tokenAddress`. */
  issuedTokens?: "issuer" | "named";
  /** The account's status in its record: nested, and with a code beside the word. */
  standing?: string;
  /** A status in parts among 300 other fields, with the account's status nested below. */
  balance?: { standing: string };
  /** For balances and statements. `noise`: the result of summing doubles; `text`: against the interface, which shows a number. */
  money?: "noise" | "text";
  /** Undocumented answers and payloads. `bare`: without envelope; `nested`: in the third one, deeper. */
  undocumented?: { names?: "snake_case" | "portuguese"; wrapping?: "bare" | "nested" };
  /** Other words for the statuses of documented lists. */
  statusWords?: { kyc?: Readonly<Record<string, string>>; wallet?: Readonly<Record<string, string>> };
  /** `coded`: listed accounts have their own field names and words; `foreign`: also without an id to ask by. */
  openings?: "coded" | "foreign";
  /** `events`: another name for the URL, events as objects, a boolean status; `map`: no list at all. */
  subscriptions?: "events" | "map";
  /** Its own word for the status of a TED or a closing; `isIdle`: nothing is carried out; `message`: an additional text. */
  writes?: { word: string; isIdle?: boolean; message?: string };
  /** Its own word for the status of a transaction read by id. */
  transactionWord?: string;
  hasUnknownFields?: boolean;
  hasByteOrderMark?: boolean;
};

/** Every deviation at once that the interface allows. */
export const strangest: Manner = {
  kyc: { firstPage: 0, pageSize: 7, order: { shuffledBy: "kyc" }, records: "per-process" },
  history: {
    firstPage: 0,
    pageSize: 9,
    order: "oldest",
    directions: { CREDIT: "ENTRADA", DEBIT: "SAIDA" },
    dates: "day",
  },
  accounts: { firstPage: 0, pageSize: 8, order: { shuffledBy: "accounts" } },
  wallets: { pageSize: 37 },
  money: "noise",
  undocumented: { names: "portuguese", wrapping: "nested" },
  statusWords: { kyc: { PROCESSING: "EM_ANALISE" }, wallet: { ACTIVE: "HABILITADA" } },
  hasUnknownFields: true,
  hasByteOrderMark: true,
};

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** The value with every object in it changed, the innermost first. */
function mapFields(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((one) => mapFields(one, change));
  if (!isFields(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapFields(one, change)])));
}

const PORTUGUESE: Readonly<Record<string, string>> = {
  account: "conta",
  accountCode: "numero_conta",
  accountId: "id_conta",
  accounts: "contas",
  accountStatus: "situacao_conta",
  accountType: "tipo_conta",
  address: "endereco",
  amount: "valor",
  asset: "ativo",
  birthDate: "data_nascimento",
  branch: "agencia",
  city: "cidade",
  clientCode: "codigo_cliente",
  clientId: "id_cliente",
  closedAt: "encerrada_em",
  closingReason: "motivo_encerramento",
  counterparty: "contraparte",
  createdAt: "criado_em",
  date: "data",
  description: "descricao",
  direction: "sentido",
  documentNumber: "documento",
  events: "eventos",
  fullName: "nome_completo",
  hash: "hash_transacao",
  holderName: "nome_titular",
  id: "identificador",
  institutionCode: "codigo_banco",
  key: "chave",
  keyType: "tipo_chave",
  legalPerson: "empresa",
  message: "mensagem",
  messages: "mensagens",
  motherName: "nome_mae",
  name: "nome",
  network: "rede",
  onBoardingId: "id_abertura",
  page: "pagina",
  pendingExpiresAt: "expira_em",
  person: "pessoa",
  phoneNumber: "telefone",
  pixKey: "chave_pix",
  price: "preco",
  quantity: "quantidade",
  reason: "motivo",
  side: "lado",
  status: "situacao",
  total: "total",
  totalPages: "total_paginas",
  transactionId: "id_transacao",
  type: "tipo",
  url: "endereco_url",
  webviewUrl: "link_documentos",
  webviewUrls: "links_documentos",
};
const PORTUGUESE_STATUSES: Readonly<Record<string, string>> = {
  active: "ativa",
  ACTIVE: "ativa",
  BLOCKED: "bloqueada",
  CLOSED: "encerrada",
  CONFIRMED: "confirmada",
  ERROR: "recusada",
  EXPIRED: "expirada",
  HELD: "retida",
  PROCESSING: "em_analise",
  REJECTED: "recusada",
  SETTLED: "liquidada",
};

const snakeCase = (name: string) =>
  name.replace(/^onBoarding/, "onboarding").replaceAll(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);

type Naming = NonNullable<NonNullable<Manner["undocumented"]>["names"]>;

function rename(value: unknown, names: Naming): unknown {
  const nameOf = (name: string) => (names === "portuguese" ? PORTUGUESE[name] : undefined) ?? snakeCase(name);
  const wordOf = (name: string, word: unknown) =>
    names === "portuguese" && /status$/i.test(name) && typeof word === "string"
      ? (PORTUGUESE_STATUSES[word] ?? word)
      : word;
  return mapFields(value, (fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [nameOf(name), wordOf(name, one)])),
  );
}

/** The envelope's content, and for `bare` also without the list's own object. */
function unwrapped(body: unknown): { data: unknown; list: unknown } {
  const data = isFields(body) && "data" in body ? body["data"] : body;
  const inner = isFields(data) ? Object.values(data).find((one) => Array.isArray(one)) : undefined;
  return { data, list: isFields(data) && "accounts" in data ? inner : data };
}

/** An undocumented answer or payload in this provider's words. */
export function otherWords(body: unknown, { undocumented, hasUnknownFields = false }: Manner): unknown {
  const { names, wrapping } = undocumented ?? {};
  const { data, list } = unwrapped(body);
  const said = (value: unknown) => withUnknownFields(names ? rename(value, names) : value, hasUnknownFields);
  if (wrapping === "bare") return said(list);
  if (wrapping === "nested") return { body: { resposta: { dados: said(data) } }, when: Date.now() };
  return isFields(body) && "data" in body ? { ...body, data: said(data) } : said(body);
}

function withUnknownFields(value: unknown, isWanted: boolean): unknown {
  if (!isWanted) return value;
  return mapFields(value, (fields) => ({ versaoRegistro: 3, ...fields, _links: { self: null }, observacoes: [] }));
}

const fingerprint = (seed: string, entry: unknown) =>
  createHash("sha256")
    .update(`${seed}:${stringifyJson(entry)}`)
    .digest("hex");

function ordered(entries: readonly unknown[], order: Listing["order"]): unknown[] {
  if (order === undefined) return [...entries];
  if (order === "oldest") return entries.toReversed();
  const keys = new Map(entries.map((entry) => [entry, fingerprint(order.shuffledBy, entry)]));
  return entries.toSorted((one, other) => (keys.get(one) ?? "").localeCompare(keys.get(other) ?? ""));
}

type Page = { entries: unknown[]; page: number; limit: number; totalPages: number };

function pageOf(entries: readonly unknown[], asked: URLSearchParams, listing: Listing): Page {
  const { firstPage = 1, pageSize = Infinity, paging } = listing;
  const sorted = ordered(entries, listing.order);
  if (paging === "everything") {
    return { entries: sorted, page: firstPage, limit: sorted.length, totalPages: 1 };
  }
  const limit = Math.min(Number(asked.get("limit") ?? 20), pageSize);
  const last = listing.beyond === undefined ? Infinity : firstPage + Math.ceil(sorted.length / limit) - 1;
  const given = asked.get("page") === null ? firstPage : Math.max(Number(asked.get("page")), firstPage);
  const wanted = Math.min(given, last);
  const begin = paging === undefined ? (wanted - firstPage) * limit : 0;
  return {
    entries: sorted.slice(begin, begin + limit),
    page: paging === "first-page" ? firstPage : given,
    limit,
    totalPages: Math.ceil(sorted.length / limit),
  };
}

const KycProcess = z.looseObject({ process: z.string(), status: z.string() });

/** Newest first: the process after the approved background check, then that one. */
function perProcess(record: unknown): unknown[] {
  const { data } = KycProcess.safeParse(record);
  if (data?.process !== "kyc-documentscopy") return [record];
  const { webviewUrl: _page, webviewUrls: _pages, ...checked } = data;
  return [data, { ...checked, process: "kyc-backgroundcheck", status: "APPROVED" }];
}

function otherKycRecord(record: unknown, { undocumented, statusWords }: Manner): unknown {
  if (!isFields(record)) return record;
  const { webviewUrl, webviewUrls, ...shown } = record;
  const hidden = { ...("webviewUrl" in record && { webviewUrl }), ...("webviewUrls" in record && { webviewUrls }) };
  const named = undocumented?.names ? rename(hidden, undocumented.names) : hidden;
  const status = statusWords?.kyc?.[String(shown["status"])] ?? shown["status"];
  return { ...shown, status, ...(isFields(named) && named) };
}

function otherAmount(amount: unknown, money: Manner["money"]): unknown {
  if (money === undefined) return amount;
  if (money === "text") return stringifyJson(amount);
  return typeof amount === "number" ? amount * (1 + Number.EPSILON) : amount;
}

const saoPaulo = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/Sao_Paulo", dateStyle: "short" });

function otherEntry(entry: unknown, { history = {}, money }: Manner): unknown {
  if (!isFields(entry)) return entry;
  const { direction, ...rest } = entry;
  const { directions, dates, ids } = history;
  const { transactionId } = rest;
  const isDebit = direction === "DEBIT";
  const amount = otherAmount(rest["amount"], money);
  const signed = directions === "sign" && isDebit ? parseJson(`-${stringifyJson(rest["amount"])}`) : amount;
  const word = typeof directions === "object" ? directions[isDebit ? "DEBIT" : "CREDIT"] : direction;
  return {
    ...rest,
    amount: signed,
    ...(ids !== undefined && { transactionId: `own-${fingerprint("ids", transactionId).slice(0, 12)}` }),
    ...(ids === "named" && { antifraudId: transactionId }),
    ...(dates === "day" && { date: saoPaulo.format(new Date(String(rest["date"]))) }),
    ...(directions !== "sign" && directions !== "absent" && { direction: word }),
  };
}

type Listed = { entries: unknown[]; first: Fields };

/** Every entry in the provider's own order, or its error answer. */
async function readAll(
  serve: Serve,
  request: Request,
  { limit, entriesIn }: { limit: number; entriesIn: (body: unknown) => unknown[] },
): Promise<Listed | Response> {
  const entries: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const url = new URL(request.url);
    url.searchParams.set("page", String(page));
    url.searchParams.set("limit", String(limit));
    const response = await serve(new Request(url, { headers: request.headers }));
    if (!response.ok) return response;
    const body = parseJson(await response.text());
    const found = entriesIn(body);
    entries.push(...found);
    if (found.length < limit) return { entries, first: isFields(body) ? body : {} };
  }
}

const KycPage = z.looseObject({ result: z.array(z.unknown()) });
const HistoryPage = z.looseObject({ data: z.looseObject({ transactions: z.array(z.unknown()) }) });
const AccountsPage = z.looseObject({ data: z.looseObject({ accounts: z.array(z.unknown()) }) });
const WalletsPage = z.looseObject({ data: z.array(z.unknown()) });
const BalanceAnswer = z.looseObject({ data: z.looseObject({ balance: z.unknown(), blockedBalance: z.unknown() }) });

const recordsIn = (body: unknown) => KycPage.parse(body).result;
const transactionsIn = (body: unknown) => HistoryPage.parse(body).data.transactions;
const accountsIn = (body: unknown) => AccountsPage.parse(body).data.accounts;

type Answering = { serve: Serve; request: Request; manner: Manner };

async function listKyc({ serve, request, manner }: Answering): Promise<unknown> {
  const listing = manner.kyc ?? {};
  const all = await readAll(serve, request, { limit: 100, entriesIn: recordsIn });
  if (all instanceof Response) return all;
  const records = listing.records === "per-process" ? all.entries.flatMap(perProcess) : all.entries;
  const { entries, page, limit } = pageOf(records, new URL(request.url).searchParams, listing);
  return { page, limit, result: entries.map((record) => otherKycRecord(record, manner)) };
}

async function readHistory({ serve, request, manner }: Answering): Promise<unknown> {
  const all = await readAll(serve, request, { limit: 500, entriesIn: transactionsIn });
  if (all instanceof Response) return all;
  const { entries, page, totalPages } = pageOf(all.entries, new URL(request.url).searchParams, manner.history ?? {});
  const transactions = entries.map((entry) => otherEntry(entry, manner));
  if (manner.history?.totals === "untold") return { ...all.first, data: { transactions, page } };
  return { ...all.first, data: { transactions, page, totalPages } };
}

const Opening = z.looseObject({ onBoardingId: z.string() });

function ownOpening(entry: unknown, how: Manner["openings"]): unknown {
  const said = { FASE: "EM_MESA_7", PESSOA_JURIDICA: { CONTATO: ["ana.lima@example.com", "(11) 98765-4321"] } };
  return how === "coded" ? { PROPOSTA: { CODIGO: Opening.parse(entry).onBoardingId }, ...said } : said;
}

const Subscribed = z.looseObject({ url: z.string(), events: z.array(z.string()) });

async function listSubscriptions({ serve, request, manner }: Answering): Promise<unknown> {
  if (manner.subscriptions === undefined) return otherwise({ serve, request, manner });
  const body = z.looseObject({ data: z.array(Subscribed) }).parse(parseJson(await (await serve(request)).text()));
  if (manner.subscriptions === "map") {
    return {
      assinaturas: Object.fromEntries(
        body.data.flatMap(({ url, events }) => events.map((event) => [event, { fila: url.length }])),
      ),
    };
  }
  return body.data.map(({ url, events }) => ({
    destino: url,
    topicos: events.map((nome) => ({ nome })),
    habilitado: false,
  }));
}

async function listAccounts({ serve, request, manner }: Answering): Promise<unknown> {
  const all = await readAll(serve, request, { limit: 500, entriesIn: accountsIn });
  if (all instanceof Response) return all;
  const { entries, page, totalPages } = pageOf(all.entries, new URL(request.url).searchParams, manner.accounts ?? {});
  if (manner.openings !== undefined)
    return { RESULTADO: entries.map((one) => ownOpening(one, manner.openings)), totalPages };
  return otherWords({ ...all.first, data: { accounts: entries, page, totalPages } }, manner);
}

async function listWallets({ serve, request, manner }: Answering): Promise<unknown> {
  const url = new URL(request.url);
  const { pageSize = Infinity } = manner.wallets ?? {};
  url.searchParams.set("limit", String(Math.min(Number(url.searchParams.get("limit") ?? 50), pageSize)));
  const response = await serve(new Request(url, { headers: request.headers }));
  if (!response.ok) return response;
  const body = WalletsPage.parse(parseJson(await response.text()));
  const words = manner.statusWords?.wallet ?? {};
  const data = body.data.map((one) =>
    isFields(one) ? { ...one, status: words[String(one["status"])] ?? one["status"] } : one,
  );
  return { ...body, data };
}

const IssuedEntry = z.looseObject({ tokenAddress: z.string(), asset: z.string() });

function otherIssued(entry: unknown, how: Manner["issuedTokens"]): unknown {
  const { data } = IssuedEntry.safeParse(entry);
  const [currency = "", issuer] = data?.tokenAddress.split(".") ?? [];
  if (data === undefined || issuer === undefined) return entry;
  return { ...data, tokenAddress: issuer, ...(how === "named" && { asset: "Dollar", currency, issuer }) };
}

async function readCoins({ serve, request, manner }: Answering): Promise<unknown> {
  const response = await serve(request);
  if (!response.ok || manner.issuedTokens === undefined) return response;
  const body = WalletsPage.parse(parseJson(await response.text()));
  return { ...body, data: body.data.map((one) => otherIssued(one, manner.issuedTokens)) };
}

const Sending = z.looseObject({ network: z.string(), tokenAddress: z.string().default("") });

async function sendCoins({ serve, request, manner }: Answering): Promise<unknown> {
  const { network, tokenAddress } = Sending.parse(parseJson(await request.clone().text()));
  if (manner.issuedTokens === undefined || network !== "XRPL" || tokenAddress === "") return serve(request);
  return Response.json({ message: "tokenAddress: XRPL has no contracts" }, { status: 400 });
}

const MORE_FIELDS = Object.fromEntries(
  Array.from({ length: 300 }, (_, n) => [`campo_${n}`, [n + 0.5, { id: `${n}` }]]),
);

async function readBalance({ serve, request, manner: { money, balance: how } }: Answering): Promise<unknown> {
  const response = await serve(request);
  if (!response.ok) return response;
  const body = BalanceAnswer.parse(parseJson(await response.text()));
  const { balance, blockedBalance } = body.data;
  const amounts = { balance: otherAmount(balance, money), blockedBalance: otherAmount(blockedBalance, money) };
  if (how === undefined) return { ...body, data: { ...body.data, ...amounts } };
  const conta = { SITUACAO: { CODIGO: 7, DESCRICAO: how.standing } };
  return {
    ...body,
    ...MORE_FIELDS,
    status: { codigo: 0, descricao: "OK" },
    data: { ...MORE_FIELDS, ...body.data, ...amounts, conta },
  };
}

async function otherwise({ serve, request, manner }: Answering): Promise<unknown> {
  const response = await serve(request);
  if (!response.ok || response.status === 202) return response;
  return otherWords(parseJson(await response.text()), manner);
}

/** The interface shows no answer to these (`Response: not shown`). */
const NOT_SHOWN = [
  /\/bank-accounts\/(getAccounts|getTransactionById|getAccountInfoNaturalPerson|getAccountInfoLegalPerson)$/,
  /\/bank-accounts\/(updateAccountInfoLegalPerson|generateExternalTransferRequest|closeAccount)$/,
  /\/v1\/(webhooks|pix\/.+|otc\/.+)$/,
];

const worded = (value: unknown, word: string | undefined) =>
  mapFields(value, (fields) =>
    word !== undefined && typeof fields["status"] === "string" ? { ...fields, status: word } : fields,
  );

async function answerWrite({ serve, request, manner }: Answering): Promise<unknown> {
  const { writes } = manner;
  if (writes === undefined) return otherwise({ serve, request, manner });
  const said = { status: writes.word, ...(writes.message !== undefined && { message: writes.message }) };
  if (writes.isIdle === true)
    return otherWords({ status: 200, when: 0, data: { transactionId: randomUUID(), ...said } }, manner);
  const response = await serve(request);
  if (!response.ok || response.status === 202) return response;
  const body = z.looseObject({ data: z.looseObject({}) }).parse(parseJson(await response.text()));
  return otherWords({ ...body, data: { ...body.data, ...said } }, manner);
}

async function readInfo(answering: Answering): Promise<unknown> {
  const { standing } = answering.manner;
  if (standing === undefined) return otherwise(answering);
  const CONTA = { SITUACAO: { CODIGO: 7, DESCRICAO: standing } };
  return { RESULTADO: [{ PESSOA_JURIDICA: { SITUACAO_CADASTRAL: "REGULAR", CONTA } }] };
}

async function readTransaction({ serve, request, manner }: Answering): Promise<unknown> {
  if (manner.history?.ids !== undefined)
    return Response.json({ message: "The transaction was not found" }, { status: 404 });
  const response = await serve(request);
  if (!response.ok) return response;
  return otherWords(worded(parseJson(await response.text()), manner.transactionWord), manner);
}

const LISTS: Readonly<Record<string, (answering: Answering) => Promise<unknown>>> = {
  "/v1/kyc/list": listKyc,
  "/v1/bank-accounts/history": readHistory,
  "/v1/bank-accounts/getAccounts": listAccounts,
  "/v1/bank-accounts/balance": readBalance,
  "/v1/webhooks": listSubscriptions,
  "/v1/bank-accounts/getAccountInfoNaturalPerson": readInfo,
  "/v1/bank-accounts/getAccountInfoLegalPerson": readInfo,
  "/v1/bank-accounts/generateExternalTransferRequest": answerWrite,
  "/v1/bank-accounts/closeAccount": answerWrite,
  "/v1/bank-accounts/getTransactionById": readTransaction,
  "/v1/crypto/transfer": sendCoins,
};

function answererOf({ method }: Request, pathname: string): (answering: Answering) => Promise<unknown> {
  if (pathname === "/v1/crypto/wallets" && method === "GET") return listWallets;
  if (/^\/v1\/crypto\/wallets\/[^/]+\/balance$/.test(pathname)) return readCoins;
  if (NOT_SHOWN.some((path) => path.test(pathname))) return LISTS[pathname] ?? otherwise;
  return LISTS[pathname] ?? (async ({ serve, request }) => serve(request));
}

/**
 * A provider that answers as documented, and in its own manner wherever the interface is silent; `serve` is the
 * embedded service, one of the ways that the interface allows.
 */
export function otherProvider(serve: Serve, manner: Manner): (request: Request) => Promise<Response> {
  const { hasUnknownFields = false, hasByteOrderMark = false } = manner;
  const write = (said: unknown, init: { status: number; headers: Headers }) => {
    init.headers.delete("content-length");
    return new Response(`${hasByteOrderMark ? "\uFEFF" : ""}${stringifyJson(said)}`, init);
  };

  return async (request) => {
    const { pathname } = new URL(request.url);
    const isShown = !NOT_SHOWN.some((path) => path.test(pathname));
    const said = await answererOf(request, pathname)({ serve, request, manner });
    if (!(said instanceof Response)) {
      const headers = new Headers({ "content-type": "application/json; charset=UTF-8" });
      return write(withUnknownFields(said, isShown && hasUnknownFields), { status: 200, headers });
    }
    const { status, headers } = said;
    const text = await said.text();
    if (text === "" || headers.get("content-type")?.includes("json") !== true) {
      return new Response(text === "" ? null : text, { status, headers });
    }
    return write(withUnknownFields(parseJson(text), hasUnknownFields), { status, headers: new Headers(headers) });
  };
}
