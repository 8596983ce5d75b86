import { z } from "zod";
import { Introspection, Token } from "@/lib/contract/auth";
import { FAMILY_NETWORKS } from "@/lib/contract/crypto";
import { isTooDeep } from "@/lib/contract/depth";
import { type Difference, differencesIn } from "@/lib/contract/differences";
import { ErrorBody } from "@/lib/contract/errors";
import { parseJson } from "@/lib/contract/json";
import { documentIn, findIn, readList } from "@/lib/contract/open-answer";
import { type ReadName, READS } from "@/lib/contract/reads";
import { retryAfterMs } from "@/lib/provider/answer";
import { fillPath, urlOf } from "@/lib/provider/address";
import { introspectToken } from "@/lib/provider/operations";
import { basicOf, type Client, type Credentials, requestToken, TOKEN_PATH } from "@/lib/provider/token-request";
import type { Incoming, Outgoing, Wire } from "@/lib/provider/wire-http";
import { civilDaysAgo } from "@/lib/text/time";

const LIMITS = { connectMs: 3_000, firstByteMs: 10_000, totalMs: 20_000, maxBytes: 10 * 1024 * 1024 };
const STATEMENT_DAYS = 90;
const ACCOUNT_DAYS = 365;
const MAX_ACCOUNTS = 5;
const MAX_DEPTH = 64;

/** `compared`: answers held against the contract; `why`: an operation that was not compared, in words. */
export type CheckedOperation = {
  operation: string;
  compared: number;
  differences: string[];
  why: string | null;
};

type Checking = {
  client: Client;
  credentials: Credentials;
  wire: Wire;
  now: () => Date;
  sleep: (ms: number) => Promise<void>;
};

type Given = { params?: Record<string, string>; query?: Record<string, string> };

const INSTEAD = "instead of";

function inWords({ is, field, found, documented }: Difference): string {
  const name = field === "" ? "the answer" : field;
  if (is === "MISSING") return `${name} is missing (documented: ${documented})`;
  if (is === "UNKNOWN") return `${name} is unknown (${found})`;
  return `${name} is ${found} ${INSTEAD} ${documented}`;
}

/** The outcome of each operation, in the order in which it was first asked. */
function createSheet() {
  const sheet = new Map<string, CheckedOperation>();
  const lineOf = (operation: string): CheckedOperation => {
    const line = sheet.get(operation) ?? { operation, compared: 0, differences: [], why: null };
    sheet.set(operation, line);
    return line;
  };
  return {
    lines: () => [...sheet.values()],
    differ(operation: string, words: readonly string[]) {
      const line = lineOf(operation);
      line.compared += 1;
      line.why = null;
      line.differences = [...new Set([...line.differences, ...words])];
    },
    skip(operation: string, why: string) {
      const line = lineOf(operation);
      if (line.compared === 0) line.why = why;
    },
  };
}

type Sheet = ReturnType<typeof createSheet>;

function bodyOf({ text }: Incoming): { json: unknown } | null {
  if (isTooDeep(text, MAX_DEPTH)) return null;
  try {
    return { json: text === "" ? {} : parseJson(text, { mayRepeatKeys: true }) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const wordsOf = (documented: z.ZodType, incoming: Incoming): string[] => {
  const body = bodyOf(incoming);
  return body === null ? ["the answer is no JSON"] : differencesIn(documented, body.json).map(inWords);
};

/** `documented` null: the interface says only 4xx. */
function statusWords(found: number, documented: number | null): string[] {
  const isDocumented = documented === null ? found >= 400 && found < 500 : found === documented;
  return isDocumented ? [] : [`answers HTTP ${found} ${INSTEAD} ${documented ?? "4xx"}`];
}

/** Sends GETs one after the other; after a 429 once more. */
function createAsking({ client, wire, sleep }: Checking, token: string, sheet: Sheet) {
  const bearer = { authorization: `Bearer ${token}`, "x-client-id": client.clientId, accept: "application/json" };

  async function send(name: ReadName, { params, query }: Given = {}, headers: Outgoing["headers"] = bearer) {
    const url = urlOf(client.baseUrl, fillPath(READS[name].path, params), query);
    const outgoing: Outgoing = { method: "GET", url, headers, isFresh: false, limits: LIMITS };
    const first = await wire(outgoing);
    if (first.status !== 429) return first;
    await sleep(retryAfterMs(first.header("retry-after"), Date.now()) ?? 1_000);
    return wire(outgoing);
  }

  return {
    send,
    bearer,
    /** The answer's body, and null when there is none to look into. */
    read: async (name: ReadName, given: Given = {}): Promise<unknown> => {
      const { path, answer } = READS[name];
      const operation = `GET ${path}`;
      const incoming = await send(name, given);
      const { status } = incoming;
      if (status !== 200) {
        const code = ErrorBody.safeParse(bodyOf(incoming)?.json).data?.error;
        sheet.skip(operation, `answered HTTP ${status}${code === undefined ? "" : ` ${code}`}`);
        return null;
      }
      if (answer === null) sheet.skip(operation, "the interface does not show its answer");
      else sheet.differ(operation, wordsOf(answer, incoming));
      return bodyOf(incoming)?.json ?? null;
    },
  };
}

type Asking = ReturnType<typeof createAsking>;

async function checkErrors({ send, bearer }: Asking, sheet: Sheet): Promise<void> {
  const { authorization, accept, "x-client-id": clientId } = bearer;
  const onBoardingId = "conformance-check-of-no-account";
  const tries = [
    { of: "no such onboarding", name: "checkOnboarding", query: { onBoardingId }, headers: bearer, status: 404 },
    { of: "without a client id", name: "listWebhooks", headers: { authorization, accept }, status: 400 },
    { of: "without a token", name: "listWebhooks", headers: { "x-client-id": clientId, accept }, status: null },
  ] as const;
  for (const { of, name, headers, status, ...given } of tries) {
    const incoming = await send(name, given, headers);
    const body = ErrorBody.safeParse(bodyOf(incoming)?.json).data;
    const isUncoded = status === 400 && body?.error !== "MISSING_CLIENT_ID";
    sheet.differ(`GET ${READS[name].path} ${of}`, [
      ...statusWords(incoming.status, status),
      ...(isUncoded ? ["error is not MISSING_CLIENT_ID"] : []),
      ...(body === undefined || body.message === "" ? ["message is missing (documented: string)"] : []),
    ]);
  }
}

type Account = { accountId: string; documentNumber: string };

const accountsIn = (answer: unknown): Account[] =>
  readList(answer, (entry): Account | null => {
    const accountId = findIn(entry, "accountId")?.text;
    const documentNumber = documentIn(entry);
    return accountId === undefined || documentNumber === null ? null : { accountId, documentNumber };
  }).understood;

const isPerson = ({ documentNumber }: Account) => documentNumber.length === 11;

const Transactions = z.object({
  data: z.object({ transactions: z.array(z.object({ transactionId: z.string().min(1) })).min(1) }),
});

async function checkAccounts({ read }: Asking, sheet: Sheet, now: Date): Promise<void> {
  const period = (days: number) => ({ initialDate: civilDaysAgo(days, now), endDate: civilDaysAgo(0, now) });
  const accounts = accountsIn(await read("getAccounts", { query: { ...period(ACCOUNT_DAYS), limit: "100" } }));
  const chosen = [
    ...accounts.filter(isPerson).slice(0, MAX_ACCOUNTS - 1),
    ...accounts.filter((one) => !isPerson(one)).slice(0, MAX_ACCOUNTS),
  ].slice(0, MAX_ACCOUNTS);
  const needed = [
    "checkOnboarding",
    "getBalance",
    "getHistory",
    "getTransaction",
    "getPersonInfo",
    "getCompanyInfo",
  ] as const;
  for (const name of needed) sheet.skip(`GET ${READS[name].path}`, "no account was found to ask about");
  for (const account of chosen) {
    const { documentNumber } = account;
    await read("checkOnboarding", { query: { onBoardingId: documentNumber } });
    await read("getBalance", { query: account });
    await read(isPerson(account) ? "getPersonInfo" : "getCompanyInfo", { query: account });
    const history = await read("getHistory", { query: { ...account, ...period(STATEMENT_DAYS) } });
    const [entry] = Transactions.safeParse(history).data?.data.transactions ?? [];
    if (entry === undefined) continue;
    await read("getTransaction", { query: { transactionId: entry.transactionId, documentNumber } });
  }
}

const WalletIn = z.object({ address: z.string().min(1), network: z.string() });
const WalletsIn = z.object({ data: z.array(z.unknown()) });

async function checkWallets({ read }: Asking, sheet: Sheet): Promise<void> {
  const answer = await read("listWallets", { query: { limit: "100" } });
  const wallets = (WalletsIn.safeParse(answer).data?.data ?? []).flatMap((one) => WalletIn.safeParse(one).data ?? []);
  for (const name of ["getWalletBalance", "getWalletHistory"] as const)
    sheet.skip(`GET ${READS[name].path}`, "no wallet was found to ask about");
  for (const [family, networks] of Object.entries(FAMILY_NETWORKS)) {
    const wallet = wallets.find(({ network }) => network === family);
    if (wallet === undefined) continue;
    for (const network of networks) {
      const given = { params: { address: wallet.address }, query: { network } };
      await read("getWalletBalance", given);
      await read("getWalletHistory", given);
    }
  }
}

/** Which of the documented GETs nothing asks: each needs an id that no list tells. */
const NEEDS_AN_ID = ["getPixKey", "getOtcTrade"] as const satisfies readonly ReadName[];

async function checkToken({ client, credentials, wire }: Checking, sheet: Sheet): Promise<string> {
  const answers: Incoming[] = [];
  const { value } = await requestToken({
    client,
    credentials,
    wire: async (outgoing) => {
      const answer = await wire(outgoing);
      answers.push(answer);
      return answer;
    },
  });
  for (const answer of answers.slice(-1))
    sheet.differ(`POST ${TOKEN_PATH}`, [...statusWords(answer.status, 201), ...wordsOf(Token, answer)]);
  const basic = basicOf(client.clientId, credentials.clientSecret);
  const { method, path } = introspectToken;
  const headers = { authorization: basic, token: value, accept: "application/json" };
  const told = await wire({ method, url: urlOf(client.baseUrl, path), headers, isFresh: false, limits: LIMITS });
  sheet.differ(`POST ${path}`, [...statusWords(told.status, 201), ...wordsOf(Introspection, told)]);
  return value;
}

/**
 * Holds a provider's answers against the contract: token, every documented GET that can be asked, three errors. Sends
 * GETs and the questions about its own token, one after the other, at most 60. Throws `AppError` without a token, and
 * `WireError` when no answer comes.
 */
export async function checkProvider(checking: Checking): Promise<CheckedOperation[]> {
  const sheet = createSheet();
  const asking = createAsking(checking, await checkToken(checking, sheet), sheet);
  await asking.read("listWebhooks");
  await asking.read("listKyc");
  await checkWallets(asking, sheet);
  await checkAccounts(asking, sheet, checking.now());
  for (const name of NEEDS_AN_ID) sheet.skip(`GET ${READS[name].path}`, "not asked: it needs an id that no list tells");
  await checkErrors(asking, sheet);
  return sheet.lines();
}
