import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { SCOPE_HEADER } from "@/lib/auth/view";
import { FILE_HEADERS } from "@/lib/notes/view";
import { root } from "@/scripts/program.mjs";

/** A person with a session at one tenant. */
export type Person = { name: string; cookie: string; scope: string };

/** The result of one request, as its person sees it; `word`: a refusal's code. */
export type Answer = { status: number; ok: boolean; word: string; data: unknown; tookMs: number };

/** Nobody waits longer: a request without an answer by then hangs. */
export const HANG_MS = 10_000;
const PATIENCE_MS = 60_000;

const Failures = z.object({ failures: z.record(z.string(), z.string()) });
const { failures } = Failures.parse(JSON.parse(readFileSync(join(root, "messages/en.json"), "utf8")));
const LEAST_PREFIX = 12;

/** Few refusals show their code: the others are recognised by their sentence, up to its first value. */
function codeOf(message: string): string | undefined {
  const isIt = (sentence: string) => {
    const [said = ""] = sentence.split("{");
    return said === sentence ? message === sentence : said.length >= LEAST_PREFIX && message.startsWith(said);
  };
  return Object.entries(failures).find(([, sentence]) => isIt(sentence))?.[0];
}

const Refusal = z.object({
  kind: z.string(),
  code: z.string().optional(),
  message: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});

function wordOf({ kind, code, message, fields = {} }: z.infer<typeof Refusal>): string {
  const known = code ?? codeOf(message);
  if (known !== undefined) return known;
  const named = Object.keys(fields);
  return named.length === 0 ? kind : `${kind} ${named.join("+")}`;
}

const Result = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), data: z.unknown() }),
  z.object({ ok: z.literal(false), error: Refusal }),
]);

type Got = { status: number; text: string; tookMs: number };

/** Status 0: no answer came. */
export async function ask(address: string, given: RequestInit = {}, withinMs = PATIENCE_MS): Promise<Got> {
  const startedAtMs = performance.now();
  const tookMs = () => performance.now() - startedAtMs;
  try {
    const answer = await fetch(address, { redirect: "manual", ...given, signal: AbortSignal.timeout(withinMs) });
    return { status: answer.status, text: await answer.text(), tookMs: tookMs() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { status: 0, text: error.name, tookMs: tookMs() };
  }
}

const cookieOf = ({ cookie }: Person) => ["locale=en", cookie].filter((part) => part !== "").join("; ");

/** The end of a line that Next streams: the result of the action. */
const RESULT = /(\{"ok":.*\})$/m;

/** A server action as its page's script sends it. */
export async function act(
  url: string,
  person: Person,
  { id, path, input }: { id: string; path: string; input: unknown },
): Promise<Answer> {
  const headers = {
    accept: "text/x-component",
    "next-action": id,
    origin: new URL(url).origin,
    cookie: cookieOf(person),
  };
  const { status, text, tookMs } = await ask(new URL(path, url).href, {
    method: "POST",
    headers,
    body: JSON.stringify([input, person.scope]),
  });
  const told = RESULT.exec(text)?.[1];
  if (told === undefined)
    return { status, ok: false, word: status === 0 ? text : `HTTP ${status}`, data: null, tookMs };
  const result = Result.parse(JSON.parse(told));
  if (result.ok) return { status, ok: true, word: "", data: result.data, tookMs };
  return { status, ok: false, word: wordOf(result.error), data: null, tookMs };
}

/** One that takes a form and returns nothing. */
export async function actForm(
  url: string,
  person: Person,
  { id, path }: { id: string; path: string },
): Promise<Answer> {
  const body = new FormData();
  body.set("1_choice", "en");
  body.set("0", '["$K1"]');
  const headers = {
    accept: "text/x-component",
    "next-action": id,
    origin: new URL(url).origin,
    cookie: cookieOf(person),
  };
  return plainly(await ask(new URL(path, url).href, { method: "POST", headers, body }));
}

const plainly = ({ status, tookMs, text }: Got): Answer => {
  const ok = status >= 200 && status < 300;
  return { status, ok, word: ok ? "" : status === 0 ? text : `HTTP ${status}`, data: text, tookMs };
};

/** A page's read or a link's download; a link sends no header, so the scope is in its URL, too. */
export async function read(url: string, person: Person, path: string, withinMs = PATIENCE_MS): Promise<Answer> {
  const address = new URL(path, url);
  if (address.pathname.startsWith("/api/")) address.searchParams.set("scope", person.scope);
  const headers = { cookie: cookieOf(person), [SCOPE_HEADER]: person.scope };
  return plainly(await ask(address.href, { headers }, withinMs));
}

export async function upload(url: string, person: Person, path: string, fileId: string): Promise<Answer> {
  const headers = {
    cookie: cookieOf(person),
    origin: new URL(url).origin,
    [SCOPE_HEADER]: person.scope,
    "content-type": "application/pdf",
    [FILE_HEADERS.id]: fileId,
    [FILE_HEADERS.name]: Buffer.from("contrato.pdf").toString("base64url"),
  };
  const body = `%PDF-1.7\n${fileId}\n`;
  return plainly(await ask(new URL(path, url).href, { method: "POST", headers, body }));
}

/** An event as the provider signs and sends it. */
export async function deliver(
  url: string,
  { clientId, secret }: { clientId: string; secret: string },
  eventId: string,
): Promise<Answer> {
  const body = JSON.stringify({ kycUUID: eventId });
  const headers = {
    "content-type": "application/json",
    [WEBHOOK_HEADERS.event]: "kyc-status",
    [WEBHOOK_HEADERS.id]: eventId,
    [WEBHOOK_HEADERS.signature]: createHmac("sha256", secret).update(body).digest("hex"),
  };
  return plainly(await ask(`${url}/api/hooks/${clientId}`, { method: "POST", headers, body }));
}

const Csrf = z.object({ csrfToken: z.string() });

/** From the form's token to the session's cookie. */
export async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<Answer> {
  const startedAtMs = performance.now();
  const done = (status: number, word: string): Answer => {
    return { status, ok: word === "", word, data: null, tookMs: performance.now() - startedAtMs };
  };
  try {
    const signal = AbortSignal.timeout(HANG_MS);
    const given = await fetch(`${url}/api/auth/csrf`, { signal });
    const { csrfToken } = Csrf.parse(await given.json());
    const cookie = given.headers.getSetCookie().map((set) => set.split(";")[0]);
    const entered = await fetch(`${url}/api/auth/callback/credentials`, {
      method: "POST",
      redirect: "manual",
      signal,
      headers: { cookie: cookie.join("; "), "content-type": "application/x-www-form-urlencoded", origin: url },
      body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
    });
    const isIn = entered.headers.getSetCookie().some((set) => set.includes("session="));
    const told = isIn ? "" : `HTTP ${entered.status} ${(await entered.text()).slice(0, 80)}`;
    return done(entered.status, told);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return done(0, error.name);
  }
}

export const newId = (): string => randomUUID();
