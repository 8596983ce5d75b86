import "server-only";
import { getTranslations } from "next-intl/server";
import { headers } from "next/headers";
import type { z } from "zod";
import { type Actor, grant } from "@/lib/auth/grant";
import { type Permission, rolesWith } from "@/lib/auth/permission";
import { getSession } from "@/lib/auth/session";
import type { Session } from "@/lib/auth/sessions";
import { refusalCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import { BankError } from "@/lib/bank/error";
import { deskChange, deskIdOf } from "@/lib/desk";
import { env } from "@/lib/env";
import { explain, explainFields } from "@/lib/explain";
import { log } from "@/lib/log";
import { isLoopback } from "@/lib/loopback";
import { type ActionResult, STEP_UP } from "@/lib/result";
import { withoutParameters } from "@/lib/store/error";
import { db } from "@/lib/store/store";

/** Only our own pages may act. A proxy in front may forge Host headers; `PUBLIC_URL` it cannot. */
export function isOwnOrigin(origin: string | null, publicUrl: URL): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (from.origin === publicUrl.origin) return true;
  return isLoopback(from.hostname) && isLoopback(publicUrl.hostname) && from.port === publicUrl.port;
}

/** The person who acts, from a page of ours. */
async function requirePerson(): Promise<Session> {
  const session = await getSession();
  if (session === null) throw new BankError("unauthenticated");
  if (!isOwnOrigin((await headers()).get("origin"), env().publicUrl)) {
    throw new BankError("forbidden", { code: "foreign-origin" });
  }
  return session;
}

async function authorise<P extends Permission>(session: Session, permission: P): Promise<Actor<P>> {
  const actor = grant(session, permission);
  if (actor !== null) return actor;
  const refused = { tenant: session.tenant, actor: session.staffId, code: refusalCode(permission) } as const;
  await record(await db(), { ...refused, outcome: "REFUSED", detail: { needs: rolesWith(permission).join(",") } });
  throw new BankError("forbidden", { code: permission });
}

/** A write as pages call it; `desk` is the one that the page was rendered for. */
export type Action<Input, T> = (input: Input, desk: string) => Promise<ActionResult<T>>;

type Doing<Who, Input extends z.ZodType, T> = {
  name: string;
  schema: Input;
  /** It asks for a recent proof that the person is who they are. */
  isGrave?: boolean;
  /** Who may do it, or `BankError`. */
  admit: (session: Session, desk: unknown) => Promise<Who>;
  write: (who: Who, input: z.output<Input>) => Promise<T>;
};

function answering<Who, Input extends z.ZodType, T>(doing: Doing<Who, Input, T>): Action<z.input<Input>, T> {
  const { name, schema, isGrave = false, admit, write } = doing;
  return async (input, desk) => {
    const say = await getTranslations();
    try {
      const session = await requirePerson();
      const who = await admit(session, desk);
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const fields = explainFields(parsed.error.issues, say);
        return { ok: false, error: { kind: "invalid", message: say("errors.invalid"), fields } };
      }
      if (isGrave && !session.isProven) throw new BankError("forbidden", { code: STEP_UP });
      return { ok: true, data: await write(who, parsed.data) };
    } catch (error) {
      if (!(error instanceof BankError)) throw withoutParameters(error);
      const { status, code, requestId } = error.details;
      log.warn({ action: name, kind: error.kind, status, code, requestId }, "write failed");
      return { ok: false, error: explain(error, say) };
    }
  };
}

function holderOf<P extends Permission>(permission: P) {
  return async (session: Session, desk: unknown): Promise<Actor<P>> => {
    const code = deskChange(desk, deskIdOf(session));
    if (code !== null) throw new BankError("conflict", { code });
    return authorise(session, permission);
  };
}

/**
 * Every write goes through here: session, origin, desk and permission first, then the input is parsed, then `write` runs.
 * What may go wrong is returned in the reader's language; a bug, and Next's own redirects, pass through untouched.
 */
export function action<P extends Permission, Input extends z.ZodType, T>(
  permission: P,
  schema: Input,
  write: (actor: Actor<P>, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name: permission, schema, admit: holderOf(permission), write });
}

/**
 * An `action` that also asks for a recent proof of who acts, once its input is right: without one it answers
 * `forbidden` with the code `step-up`, and `useAction` asks for the proof and sends the same input again.
 */
export function graveAction<P extends Permission, Input extends z.ZodType, T>(
  permission: P,
  schema: Input,
  write: (actor: Actor<P>, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name: permission, schema, isGrave: true, admit: holderOf(permission), write });
}

async function requireSamePerson(session: Session, desk: unknown): Promise<Session> {
  const code = deskChange(desk, deskIdOf(session));
  if (code === "person-changed") throw new BankError("conflict", { code });
  return session;
}

/** What people do to their own session: needs no permission, and another of their tenants' pages may do it. */
export function ownAction<Input extends z.ZodType, T>(
  name: string,
  schema: Input,
  write: (session: Session, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name, schema, admit: requireSamePerson, write });
}

/** An `ownAction` that asks for a recent proof, as `graveAction` does. */
export function graveOwnAction<Input extends z.ZodType, T>(
  name: string,
  schema: Input,
  write: (session: Session, input: z.output<Input>) => Promise<T>,
): Action<z.input<Input>, T> {
  return answering({ name, schema, isGrave: true, admit: requireSamePerson, write });
}
