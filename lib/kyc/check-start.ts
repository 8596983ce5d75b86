import { AppError } from "@/lib/errors/app-error";
import type { FieldIssue } from "@/lib/errors/result";
import { db } from "@/lib/db/connection";
import { documentOfStart, type StartChecking, StartForm } from "./inputs";
import type { Starter } from "./start";
import { startDuplicates } from "./start-duplicates";

async function documentIssues({ tenant }: Starter, typed: StartChecking): Promise<FieldIssue[]> {
  const document = documentOfStart(typed);
  if (document === null) return [];
  const like = await startDuplicates(await db(), { tenant, type: typed.type, document, except: null });
  const isBlocked = like.some(({ isUnconfirmed }) => isUnconfirmed);
  return isBlocked ? [{ path: ["vatNumber"], params: { code: "document-unconfirmed" } }] : [];
}

/** Throws invalid with every field that is wrong so far. */
export async function checkStartForm(actor: Starter, typed: StartChecking): Promise<null> {
  const wrong = StartForm.safeParse(typed).error?.issues ?? [];
  const issues = [...wrong, ...(await documentIssues(actor, typed))];
  if (issues.length > 0) throw new AppError("invalid", { issues });
  return null;
}
