import { AppError } from "@/lib/errors/app-error";
import { db } from "@/lib/db/connection";
import { type Creator, documentIssue, isAttemptOf } from "./create";
import { accountDuplicates } from "./create-duplicates";
import { type AccountChecking, AccountReviewing, documentOfForm } from "./create-inputs";
import type { FieldIssue } from "@/lib/errors/result";

async function documentIssues({ tenant }: Creator, typed: AccountChecking): Promise<FieldIssue[]> {
  const document = documentOfForm(typed);
  if (document === null) return [];
  const { type, from } = typed;
  const store = await db();
  if (from !== null && !(await isAttemptOf(store, tenant, { from, document })))
    return [documentIssue(type, "other-document")];
  const like = await accountDuplicates(store, { tenant, document, except: null });
  return like.some(({ isUnconfirmed }) => isUnconfirmed) ? [documentIssue(type, "document-unconfirmed")] : [];
}

/** Throws invalid with every field that is wrong so far; the provider is asked nothing. */
export async function checkAccountForm(actor: Creator, typed: AccountChecking): Promise<null> {
  const wrong = AccountReviewing.safeParse(typed).error?.issues ?? [];
  const issues = [...wrong, ...(await documentIssues(actor, typed))];
  if (issues.length > 0) throw new AppError("invalid", { issues });
  return null;
}
