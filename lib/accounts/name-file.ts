import { and, eq } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { Required } from "@/lib/contract/shared";
import { admitFile } from "@/lib/privacy/reveal";
import { isWholeReason, maybeReasoned } from "@/lib/privacy/inputs";
import { account } from "@/lib/db/tables/customers";
import { db } from "@/lib/db/connection";

export const NamingFile = z
  .object({ ...maybeReasoned, ref: z.uuid(), file: Required.max(2_100) })
  .refine(isWholeReason, { path: ["reason"] });
type NamingFile = z.output<typeof NamingFile>;

/** An id to download the file with names in clear for a minute. Throws not-found, and as `admitReveal`. */
export async function nameFile(
  actor: Actor<"statement:export">,
  { ref, ...asked }: NamingFile,
): Promise<{ revealId: string }> {
  const isIt = and(eq(account.tenant, actor.tenant), eq(account.ref, ref));
  if ((await (await db()).$count(account, isIt)) === 0) throw new AppError("not-found");
  return { revealId: await admitFile(actor, { object: `account:${ref}`, ...asked }) };
}
