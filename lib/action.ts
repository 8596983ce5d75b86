import "server-only";
import { getTranslations } from "next-intl/server";
import { headers } from "next/headers";
import type { z } from "zod";
import { refusalCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import { type Actor, grant } from "@/lib/permission/grant";
import { PasswordsBusy } from "@/lib/auth/password";
import { type Permission, rolesWith } from "@/lib/permission/permission";
import { getOpenSession, getSession } from "@/lib/auth/session";
import type { Session } from "@/lib/auth/sessions";
import { SCOPE_HEADER, scopeChange, scopeIdOf } from "@/lib/auth/view";
import { AppError } from "@/lib/errors/app-error";
import { explain, explainFields, explainRead } from "@/lib/errors/explain";
import { type ActionResult, STEP_UP } from "@/lib/errors/result";
import { log } from "@/lib/log/log";
import { asWork } from "@/lib/log/work";
import { env } from "@/lib/settings/env";
import { asAppError, withoutParameters } from "@/lib/db/error";
import { db } from "@/lib/db/connection";
import { readCounted } from "@/lib/text/read-counted";
import { isLoopback } from "@/lib/text/safe-link";
import { retryAfter, STATUS } from "./query";

/** A proxy in front may forge Host, but not `PUBLIC_URL`. */
export function isOwnOrigin(origin: string | null, publicUrl: URL): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (from.origin === publicUrl.origin) return true;
  return isLoopback(from.hostname) && isLoopback(publicUrl.hostname) && from.port === publicUrl.port;
}

async function requireOwnPage(): Promise<void> {
  if (isOwnOrigin((await headers()).get("origin"), env().publicUrl)) return;
  throw new AppError("forbidden", { code: "foreign-origin" });
}

/** Throws `AppError`; `session` is null when nobody is signed in. */
type Admit<Who> = (session: Session | null, scope: unknown) => Promise<Who>;

function signedIn<Who>(admit: (session: Session, scope: unknown) => Promise<Who>): Admit<Who> {
  return async (session, scope) => {
    if (session === null) throw new AppError("unauthenticated");
    await requireOwnPage();
    return admit(session, scope);
  };
}

async function authorise<P extends Permission>(session: Session, permission: P): Promise<Actor<P>> {
  const actor = grant(session, permission);
  if (actor !== null) return actor;
  const refused = { tenant: session.tenant, actor: session.staffId, code: refusalCode(permission) } as const;
  await record(await db(), { ...refused, outcome: "REFUSED", detail: { needs: rolesWith(permission).join(",") } });
  throw new AppError("forbidden", { code: permission });
}

/** `scope`: the session scope that the page was rendered for. */
export type Action<Input, T> = (input: Input, scope: string) => Promise<ActionResult<T>>;

type Admission<Who> = { name: string; needsStepUp: boolean; admit: Admit<Who> };

function answering<Who, Input extends z.ZodType, T>(
  { name, needsStepUp, admit }: Admission<Who>,
  schema: Input,
  write: (who: Who, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  const answer: Action<z.input<Input>, T> = async (input, scope) => {
    const say = await getTranslations();
    try {
      const session = await getSession();
      const who = await admit(session, scope);
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const fields = explainFields(parsed.error.issues, say);
        return { ok: false, error: { kind: "invalid", message: say("errors.invalid"), fields } };
      }
      if (needsStepUp && session?.isProven !== true) throw new AppError("forbidden", { code: STEP_UP });
      return { ok: true, data: await write(who, parsed.data) };
    } catch (thrown) {
      const isBusy = thrown instanceof PasswordsBusy;
      const error = isBusy ? new AppError("rate-limited", { code: "passwords-busy" }) : asAppError(thrown);
      if (!(error instanceof AppError)) throw withoutParameters(error);
      const { status, code, requestId } = error.details;
      log.warn({ action: name, kind: error.kind, status, code, requestId }, "action failed");
      return { ok: false, error: explain(error, say) };
    }
  };
  return (input, scope) => asWork(name, () => answer(input, scope));
}

function holderOf<P extends Permission>(permission: P): Admit<Actor<P>> {
  return signedIn(async (session, scope) => {
    const code = scopeChange(scope, scopeIdOf(session));
    if (code !== null) throw new AppError("conflict", { code });
    return authorise(session, permission);
  });
}

/** For requests that are no actions. Throws its refusal. */
export const admitTo =
  <P extends Permission>(permission: P) =>
  async (scope: string): Promise<Actor<P>> =>
    holderOf(permission)(await getSession(), scope);

/** Every write passes here: session, origin, scope and permission before parsing. Rethrows bugs and redirects. */
export function action<P extends Permission, Input extends z.ZodType, T>(
  permission: P,
  schema: Input,
  write: (actor: Actor<P>, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name: permission, needsStepUp: false, admit: holderOf(permission) }, schema, write);
}

/** Also needs a recent proof: without one it answers `step-up`, after which `useAction` asks for it and resends. */
export function stepUpAction<P extends Permission, Input extends z.ZodType, T>(
  permission: P,
  schema: Input,
  write: (actor: Actor<P>, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name: permission, needsStepUp: true, admit: holderOf(permission) }, schema, write);
}

const samePerson = signedIn(async (session, scope): Promise<Session> => {
  const code = scopeChange(scope, scopeIdOf(session));
  if (code === "person-changed") throw new AppError("conflict", { code });
  return session;
});

/** For one's own session: needs no permission, and works from a page of any of the person's tenants. */
export function ownAction<Input extends z.ZodType, T>(
  name: string,
  schema: Input,
  write: (session: Session, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name, needsStepUp: false, admit: samePerson }, schema, write);
}

export function ownStepUpAction<Input extends z.ZodType, T>(
  name: string,
  schema: Input,
  write: (session: Session, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name, needsStepUp: true, admit: samePerson }, schema, write);
}

const anybody: Admit<Session | null> = async (session) => {
  await requireOwnPage();
  return session;
};

/** Needs no session: the input itself must prove the right. */
export function publicAction<Input extends z.ZodType, T>(
  name: string,
  schema: Input,
  write: (session: Session | null, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name, needsStepUp: false, admit: anybody }, schema, write);
}

const enrolling: Admit<Session> = async (_, scope) => {
  const session = await getOpenSession();
  return samePerson(session?.mustEnrol === true && session.isProven ? session : null, scope);
};

/** Only for people who must set up a second factor first. */
export function enrolmentAction<Input extends z.ZodType, T>(
  name: string,
  schema: Input,
  write: (session: Session, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name, needsStepUp: false, admit: enrolling }, schema, write);
}

type Segments = Record<string, string>;

export type RequestBody = { bytes: Uint8Array; headers: Headers; segments: Segments };

type Handler = (request: Request, context: { params: Promise<Segments> }) => Promise<Response>;

/** A length other than the announced one means that the body was cut. */
async function bodyOf({ body, headers: sent }: Request, mostBytes: number): Promise<Uint8Array> {
  const announced = Number(sent.get("content-length") ?? Number.NaN);
  if (announced > mostBytes) throw new AppError("invalid", { code: "file-too-large" });
  const bytes = Number.isInteger(announced) ? await readCounted(body, { mostBytes: announced }) : "cut";
  if (typeof bytes === "string" || bytes.length !== announced)
    throw new AppError("invalid", { code: "file-broken-off" });
  return bytes;
}

const MAX_UPLOADS = 3;
const UPLOADS_BUSY_MS = 5_000;

declare global {
  var retaguardaUploaders: Set<string> | undefined;
}

/** Files are held in memory, so few upload at a time and one per person. Throws unavailable `uploads-busy`. */
async function inTurn<T>(person: string, receive: () => Promise<T>): Promise<T> {
  const uploaders = (globalThis.retaguardaUploaders ??= new Set());
  if (uploaders.has(person) || uploaders.size >= MAX_UPLOADS)
    throw new AppError("unavailable", { code: "uploads-busy", retryAfterMs: UPLOADS_BUSY_MS, mayHaveExecuted: false });
  uploaders.add(person);
  try {
    return await receive();
  } finally {
    uploaders.delete(person);
  }
}

const answer = <T>(result: ActionResult<T>, status: number, more: Record<string, string> = {}) =>
  Response.json(result, { status, headers: { "cache-control": "no-store", ...more } });

type Explaining = typeof explain;

async function respond<T>(
  what: Record<string, string>,
  work: () => Promise<T>,
  explaining: Explaining = explain,
): Promise<Response> {
  try {
    return answer({ ok: true, data: await work() }, 200);
  } catch (thrown) {
    const error = asAppError(thrown);
    if (!(error instanceof AppError)) throw withoutParameters(error);
    log.warn({ ...what, kind: error.kind, code: error.details.code }, "request failed");
    return answer(
      { ok: false, error: explaining(error, await getTranslations()) },
      STATUS[error.kind],
      retryAfter(error),
    );
  }
}

/** Accepts one file, admitted like an action. */
export function upload<P extends Permission, T>(
  permission: P,
  mostBytes: number,
  write: (actor: Actor<P>, sent: RequestBody) => Promise<T>,
): Handler {
  const admit = admitTo(permission);
  return async (request, { params }) => {
    const segments = await params;
    return respond({ upload: permission }, async () => {
      const actor = await admit(request.headers.get(SCOPE_HEADER) ?? "");
      return inTurn(actor.id, async () => {
        const bytes = await bodyOf(request, mostBytes);
        return write(actor, { bytes, headers: request.headers, segments });
      });
    });
  };
}

/** A read whose input may not be in a URL: posted and admitted like an action, but run in parallel. */
export function question<P extends Permission, Input extends z.ZodType, T>(
  permission: P,
  schema: Input,
  read: (actor: Actor<P>, input: z.output<Input>) => Promise<T>,
): (request: Request) => Promise<Response> {
  const admit = admitTo(permission);
  return (request) =>
    respond(
      { question: permission },
      async () => {
        const actor = await admit(request.headers.get(SCOPE_HEADER) ?? "");
        const parsed = schema.safeParse(await request.json().catch(() => null));
        if (!parsed.success) throw new AppError("invalid");
        return read(actor, parsed.data);
      },
      explainRead,
    );
}
