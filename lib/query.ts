import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { redirect } from "next/navigation";
import { type Actor, grant } from "@/lib/auth/grant";
import type { Permission } from "@/lib/auth/permission";
import { getSession } from "@/lib/auth/session";
import type { Session } from "@/lib/auth/sessions";
import { BankError } from "@/lib/bank/error";
import { DESK_HEADER, deskChange, deskIdOf } from "@/lib/desk";
import { log } from "@/lib/log";
import type { ErrorKind } from "@/lib/result";
import { rethrowWithoutParameters } from "@/lib/store/error";

/** A read as screens call it; `answer` is the same read for a route handler, which must not redirect. */
export type Query<Args extends unknown[], T> = ((...args: Args) => Promise<T>) & {
  answer: (...args: Args) => Promise<T>;
};

/** The one session of a route's request: what was checked of it must hold for what is read. */
const answeringFor = new AsyncLocalStorage<Session>();

/**
 * Every read goes through here: the person comes from the session row, the permission from the role table, and only
 * then is there an actor to read with. Nobody signed in: to the sign-in screen. Not granted: `BankError` forbidden.
 */
export function query<P extends Permission, Args extends unknown[], T>(
  permission: P,
  read: (actor: Actor<P>, ...args: Args) => Promise<T>,
): Query<Args, T> {
  async function answer(...args: Args): Promise<T> {
    const session = answeringFor.getStore() ?? (await getSession());
    if (session === null) throw new BankError("unauthenticated");
    const actor = grant(session, permission);
    if (actor === null) throw new BankError("forbidden", { code: permission });
    return read(actor, ...args).catch(rethrowWithoutParameters);
  }
  async function readForScreen(...args: Args): Promise<T> {
    if ((await getSession()) === null) redirect("/sign-in");
    return answer(...args);
  }
  return Object.assign(readForScreen, { answer });
}

const STATUS: Readonly<Record<ErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  invalid: 400,
  "rate-limited": 429,
  unavailable: 503,
  restricted: 402,
  held: 202,
  blocked: 403,
  malformed: 502,
};

/** Reads for the desk that the asking page was rendered for, never for the one its browser has moved to since. */
async function atDesk<T>(page: string | null, read: () => Promise<T>): Promise<T> {
  const session = await getSession();
  if (session === null) throw new BankError("unauthenticated");
  const code = page === null ? null : deskChange(page, deskIdOf(session));
  if (code !== null) throw new BankError("conflict", { code });
  return answeringFor.run(session, read);
}

type Segments = Record<string, string>;

/**
 * A GET handler that runs the same query as the screen; errors become `{error: {kind}}` with their status. `segments` are
 * the dynamic ones of its address.
 */
export function route<T>(
  read: (search: URLSearchParams, segments: Segments) => Promise<T>,
): (request: Request, context: { params: Promise<Segments> }) => Promise<Response> {
  return async (request, { params }) => {
    const headers = { "cache-control": "no-store" };
    try {
      const segments = await params;
      const asked = () => read(new URL(request.url).searchParams, segments);
      return Response.json(await atDesk(request.headers.get(DESK_HEADER), asked), { headers });
    } catch (error) {
      if (!(error instanceof BankError)) throw error;
      log.warn({ kind: error.kind, status: error.details.status, requestId: error.details.requestId }, "read failed");
      return Response.json({ error: { kind: error.kind } }, { status: STATUS[error.kind], headers });
    }
  };
}
