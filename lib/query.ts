import { create } from "content-disposition";
import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { getTranslations } from "next-intl/server";
import { recordRefusedRead } from "@/lib/audit/record";
import { type Actor, grant } from "@/lib/permission/grant";
import type { Permission } from "@/lib/permission/permission";
import { redirectToSignIn } from "@/lib/auth/queries";
import { getSession } from "@/lib/auth/session";
import type { Session } from "@/lib/auth/sessions";
import { AppError } from "@/lib/errors/app-error";
import { explainRead } from "@/lib/errors/explain";
import { SCOPE_HEADER, scopeChange, scopeIdOf } from "@/lib/auth/view";
import {
  type ErrorKind,
  FAILURE_HEADER,
  isBySilence,
  isOfCompany,
  isOutage,
  isRefusal,
  SILENT,
} from "@/lib/errors/result";
import { log } from "@/lib/log/log";
import { asAppError, rethrowWithoutParameters } from "@/lib/db/error";
import { db } from "@/lib/db/connection";
import { silentSince } from "@/lib/db/provider-silence";
import { failingSince } from "@/lib/db/watch-state";
import { turnsOf } from "@/lib/turns";

function logRefusal(error: AppError): void {
  log.warn({ kind: error.kind, status: error.details.status, requestId: error.details.requestId }, "read failed");
}

function rethrowLogged(error: unknown): never {
  if (error instanceof AppError) logRefusal(error);
  throw error;
}

/** `answer`: for a route handler, which must not redirect. */
export type Query<Args extends unknown[], T> = ((...args: Args) => Promise<T>) & {
  answer: (...args: Args) => Promise<T>;
};

/** The read must use the session that was checked. */
const answeringFor = new AsyncLocalStorage<Session>();

async function dated(tenant: string, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError)) return error;
  const { kind, details } = error;
  const silent = isBySilence({ kind, ...details }) ? silentSince(tenant) : null;
  if (silent !== null) return new AppError(kind, { ...details, code: SILENT, since: silent });
  if (!isOfCompany(details.code)) return error;
  const since = await failingSince(await db(), tenant, details.code);
  return since === null ? error : new AppError(kind, { ...details, since });
}

/** Every read passes here. Redirects to the sign-in, or throws `AppError` forbidden. */
export function query<P extends Permission, Args extends unknown[], T>(
  permission: P,
  read: (actor: Actor<P>, ...args: Args) => Promise<T>,
): Query<Args, T> {
  async function answer(...args: Args): Promise<T> {
    const session = answeringFor.getStore() ?? (await getSession());
    if (session === null) throw new AppError("unauthenticated");
    const actor = grant(session, permission);
    if (actor === null) {
      await recordRefusedRead(session, permission);
      throw new AppError("forbidden", { code: permission });
    }
    return read(actor, ...args).catch(async (error: unknown) =>
      rethrowWithoutParameters(await dated(actor.tenant, error)),
    );
  }
  async function readForScreen(...args: Args): Promise<T> {
    if ((await getSession()) === null) return redirectToSignIn();
    return answer(...args).catch(rethrowLogged);
  }
  return Object.assign(readForScreen, { answer });
}

export const STATUS: Readonly<Record<ErrorKind, number>> = {
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

export const retryAfter = ({ details: { retryAfterMs } }: AppError): Record<string, string> =>
  retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };

/** For the page's own session scope, even if its browser has moved to another. */
async function atScope<T>(page: string | null, read: (session: Session) => Promise<T>): Promise<T> {
  const session = await getSession();
  if (session === null) throw new AppError("unauthenticated");
  const code = page === null ? null : scopeChange(page, scopeIdOf(session));
  if (code !== null) throw new AppError("conflict", { code });
  return answeringFor.run(session, () => read(session));
}

type Segments = Record<string, string>;

type Handler = (request: Request, context: { params: Promise<Segments> }) => Promise<Response>;

const headers = { "cache-control": "no-store" };

async function respond(page: string | null, answer: (session: Session) => Promise<Response>): Promise<Response> {
  try {
    return await atScope(page, answer);
  } catch (thrown) {
    const error = asAppError(thrown);
    if (!(error instanceof AppError)) throw error;
    logRefusal(error);
    const { code } = error.details;
    const named = isRefusal(code) || isOutage(code) || code === SILENT ? { [FAILURE_HEADER]: error.digest } : {};
    const message =
      isOutage(code) || code === SILENT ? { message: explainRead(error, await getTranslations()).message } : {};
    const answerHeaders = { ...headers, ...named, ...retryAfter(error) };
    return Response.json(
      { error: { kind: error.kind, ...message } },
      { status: STATUS[error.kind], headers: answerHeaders },
    );
  }
}

export function route<T>(read: (search: URLSearchParams, segments: Segments) => Promise<T>): Handler {
  return async (request, { params }) => {
    const segments = await params;
    return respond(request.headers.get(SCOPE_HEADER), async () =>
      Response.json(await read(new URL(request.url).searchParams, segments), { headers }),
    );
  };
}

export type Download<Part extends string | Uint8Array = string> = {
  fileName: string;
  contentType: string;
  parts: AsyncGenerator<Part>;
};
type AnyDownload = Download | Download<Uint8Array>;

/** The plain name is for browsers that read no other. */
export const attachment = (fileName: string): string =>
  create(fileName, { fallback: fileName.replaceAll(/[^\w. -]/g, "_") });

/** One part at a time per person, so that somebody who exports every list delays nobody. */
const inTurn = turnsOf(1);

function streamOf(parts: AnyDownload["parts"], { staffId }: Session): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await inTurn<IteratorResult<string | Uint8Array>>(staffId, () => parts.next());
      if (done === true) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/** A link sends no header, so its page's scope is in the URL as `scope`. A failure cuts the file off. */
export function download(read: (search: URLSearchParams, segments: Segments) => Promise<AnyDownload>): Handler {
  return async (request, { params }) => {
    const segments = await params;
    const search = new URL(request.url).searchParams;
    return respond(search.get("scope") ?? "", async (session) => {
      const { fileName, contentType, parts } = await inTurn(session.staffId, () => read(search, segments));
      const named = { "content-disposition": attachment(fileName), "content-type": contentType };
      return new Response(streamOf(parts, session), { headers: { ...headers, ...named } });
    });
  };
}
