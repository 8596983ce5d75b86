import { SCOPE_HEADER } from "@/lib/auth/view";
import { wordsOf } from "./words";
import type { Caller } from "./access-callers";

/** How far a request got, according to its answer. */
export type AccessAnswer = "let in" | (typeof REFUSED)[number] | "step-up" | "no such method" | "nothing";
const REFUSED = ["unauthenticated", "forbidden", "conflict"] as const;

/** Other targets of an action: a page with few actions, a missing page and no page at all. */
export const PATHS = ["/sign-in", "/nope", "/api/x"] as const;

const say = wordsOf("en");

/** Compressing thousands of answers would only cost time. */
const headersOf = ({ cookie }: Caller) => ({
  cookie: ["locale=en", cookie].filter(Boolean).join("; "),
  "accept-encoding": "identity",
});

export type Write = { id: string; input: unknown; path?: string };

function post(url: string, caller: Caller, { id, path = "/" }: Omit<Write, "input">, body: string | FormData) {
  const { origin } = new URL(url);
  const headers = { accept: "text/x-component", "next-action": id, origin, ...headersOf(caller) };
  return fetch(new URL(path, url), { method: "POST", redirect: "manual", headers, body });
}

/** A server action as a page's script sends it, for the caller's scope. */
export const sendAction = async (url: string, caller: Caller, { input, ...action }: Write): Promise<string> =>
  (await post(url, caller, action, JSON.stringify([input, caller.scope]))).text();

/** The same for an action that takes a form and returns nothing. */
export async function sendForm(url: string, caller: Caller, action: Omit<Write, "input">): Promise<AccessAnswer> {
  const form = new FormData();
  form.set("1_choice", "en");
  form.set("0", '["$K1"]');
  const answer = await post(url, caller, action, form);
  await answer.text();
  return answer.status === 200 ? "let in" : "nothing";
}

/** An error about the input or a missing record means that the caller was let in. */
export function outcomeOfAction(text: string): AccessAnswer {
  if (text.includes('"ok":true')) return "let in";
  const [, kind] = /"ok":false.*?"kind":"([a-z-]+)"/.exec(text) ?? [];
  if (kind === undefined) return "nothing";
  if (text.includes('"code":"step-up"')) return "step-up";
  return REFUSED.find((one) => one === kind) ?? "let in";
}

type Asking = { method?: string; path: string };

/** A read for the caller's scope. */
export async function ask(url: string, caller: Caller, { method = "GET", path }: Asking) {
  const gone = new AbortController();
  const answer = await fetch(new URL(path, url), {
    method,
    redirect: "manual",
    signal: gone.signal,
    headers: {
      ...headersOf(caller),
      [SCOPE_HEADER]: caller.scope,
      ...(method !== "GET" && { origin: new URL(url).origin }),
    },
  });
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = isStream ? "" : await answer.text();
  // A stream of changes never ends by itself.
  if (isStream) gone.abort();
  return { status: answer.status, location: answer.headers.get("location") ?? "", text };
}

const STATUSES = new Map<number, AccessAnswer>([
  [401, "unauthenticated"],
  [403, "forbidden"],
  [405, "no such method"],
  [409, "conflict"],
]);

/** A link sends no header, so a download carries the scope of its page in the URL. */
export async function askHandler(url: string, caller: Caller, asking: Asking): Promise<AccessAnswer> {
  const path = `${asking.path}?${new URLSearchParams({ scope: caller.scope })}`;
  return STATUSES.get((await ask(url, caller, { ...asking, path })).status) ?? "let in";
}

/** A page redirects anonymous callers and says so to those without permission. */
export function outcomeOfPage({ status, location, text }: Awaited<ReturnType<typeof ask>>): AccessAnswer {
  if (status >= 300 && status < 400) return location.startsWith("/sign-in") ? "unauthenticated" : "let in";
  if (status >= 500) return "nothing";
  return text.includes(say("absent.forbiddenTitle")) || text.includes("bank:forbidden") ? "forbidden" : "let in";
}
