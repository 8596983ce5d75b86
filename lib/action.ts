import "server-only";
import { getTranslations } from "next-intl/server";
import { headers } from "next/headers";
import type { z } from "zod";
import { type Actor, grant } from "@/lib/auth/grant";
import { type Permission, rolesWith } from "@/lib/auth/permission";
import { getSession } from "@/lib/auth/session";
import { record } from "@/lib/audit/record";
import { BankError } from "@/lib/bank/error";
import { env } from "@/lib/env";
import { explain, explainFields } from "@/lib/explain";
import { log } from "@/lib/log";
import { isLoopback } from "@/lib/loopback";
import type { ActionResult } from "@/lib/result";
import { withoutParameters } from "@/lib/store/error";
import { db } from "@/lib/store/store";

/** Only our own pages may act. A proxy in front may forge Host headers; `PUBLIC_URL` it cannot. */
export function isOwnOrigin(origin: string | null, publicUrl: URL): boolean {
  if (origin === null || !URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (from.origin === publicUrl.origin) return true;
  return isLoopback(from.hostname) && isLoopback(publicUrl.hostname) && from.port === publicUrl.port;
}

async function authorise<P extends Permission>(permission: P): Promise<Actor<P>> {
  const session = await getSession();
  if (session === null) throw new BankError("unauthenticated");
  if (!isOwnOrigin((await headers()).get("origin"), env().publicUrl)) {
    throw new BankError("forbidden", { code: "foreign-origin" });
  }
  const actor = grant(session, permission);
  if (actor !== null) return actor;
  const refused = { tenant: session.tenant, actor: session.staffId, code: permission.replace(":", ".") } as const;
  await record(await db(), { ...refused, outcome: "REFUSED", detail: { needs: rolesWith(permission).join(",") } });
  throw new BankError("forbidden", { code: permission });
}

/**
 * Every write goes through here: session, origin and permission first, then the input is parsed, then `write` runs.
 * What may go wrong is returned in the reader's language; a bug, and Next's own redirects, pass through untouched.
 */
export function action<P extends Permission, Input extends z.ZodType, T>(
  permission: P,
  schema: Input,
  write: (actor: Actor<P>, input: z.output<Input>) => Promise<T>,
): (input: z.input<Input>) => Promise<ActionResult<T>> {
  return async (input) => {
    const say = await getTranslations();
    try {
      const actor = await authorise(permission);
      const parsed = schema.safeParse(input);
      if (!parsed.success) {
        const fields = explainFields(parsed.error.issues, say);
        return { ok: false, error: { kind: "invalid", message: say("errors.invalid"), fields } };
      }
      return { ok: true, data: await write(actor, parsed.data) };
    } catch (error) {
      if (!(error instanceof BankError)) throw withoutParameters(error);
      const { status, code, requestId } = error.details;
      log.warn({ permission, kind: error.kind, status, code, requestId }, "write failed");
      return { ok: false, error: explain(error, say) };
    }
  };
}
