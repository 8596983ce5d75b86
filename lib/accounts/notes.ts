import { and, eq, ne } from "drizzle-orm";
import { isUnderApproval } from "@/lib/approvals/records";
import { upload } from "@/lib/action";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { addUpload, downloadFile, listFiles, removeFile } from "@/lib/notes/file";
import { addNote, listNotes, retractNote } from "@/lib/notes/note";
import type { Noting, Removing, Retracting } from "@/lib/notes/inputs";
import type { NoteTarget } from "@/lib/notes/target";
import { type CaseFile, FILE_MOST_BYTES, type Note } from "@/lib/notes/view";
import { publish } from "@/lib/db/publish";
import type { Download } from "@/lib/query";
import { account } from "@/lib/db/tables/customers";
import { db, type Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { accountClosure } from "@/lib/db/tables/accounts";

const isIt = (tenant: string, ref: string) => and(eq(account.tenant, tenant), eq(account.ref, ref));

async function isClosing(tx: Tx, tenant: string, ref: string): Promise<boolean> {
  const sent = await tx
    .select({ id: accountClosure.intentId })
    .from(accountClosure)
    .innerJoin(providerIntent, ofIntent(accountClosure))
    .where(
      and(eq(accountClosure.tenant, tenant), eq(accountClosure.accountRef, ref), ne(providerIntent.state, "REFUSED")),
    )
    .limit(1);
  return sent.length > 0;
}

export const accountTarget = (tenant: string, ref: string): NoteTarget => ({
  object: `account:${ref}`,
  isThere: async (tx) => isUuid(ref) && (await tx.$count(account, isIt(tenant, ref))) > 0,
  isHeld: async (tx) =>
    (await tx.$count(account, and(isIt(tenant, ref), eq(account.standing, "CLOSED")))) > 0 ||
    (await isClosing(tx, tenant, ref)) ||
    isUnderApproval(tx, tenant, `account:${ref}`),
  notify: (tx) => publish(tx, { tenant, topic: "transfers", object: `account:${ref}` }),
});

type Writer = Actor<"accounts:note">;

export const noteOnAccount = (actor: Writer, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, accountTarget(actor.tenant, id), note);

export const retractOnAccount = (actor: Writer, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, accountTarget(actor.tenant, id), noteId);

export const removeFromAccount = (actor: Writer, { id, ...removal }: Removing): Promise<null> =>
  removeFile(actor, accountTarget(actor.tenant, id), removal);

export const addAccountFile = upload("accounts:note", FILE_MOST_BYTES, (actor, sent) =>
  addUpload(actor, accountTarget(actor.tenant, sent.segments["ref"] ?? ""), sent),
);

type Reader = Actor<"accounts:read">;

/** Audited before it is returned. Throws not-found. */
export async function takeAccountFile(actor: Reader, ref: string, fileId: string): Promise<Download<Uint8Array>> {
  if (!isUuid(fileId)) throw new AppError("not-found", { code: "casework" });
  return downloadFile(actor, `account:${ref}`, fileId);
}

/** For everybody who may see the account, as it has no assignee and no decision. */
export async function readCasework(
  { tenant, id: readerId }: Reader,
  ref: string,
): Promise<{ notes: Note[]; files: CaseFile[] }> {
  const store = await db();
  const reading = { tenant, object: `account:${ref}`, readerId } as const;
  const [notes, files] = await Promise.all([listNotes(store, reading), listFiles(store, reading)]);
  return { notes, files };
}
