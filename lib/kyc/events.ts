import { and, eq } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { can, type Permission, type Role } from "@/lib/auth/permission";
import { BankError } from "@/lib/bank/answer";
import { addFile, downloadName, openFile, removeFile } from "@/lib/casework/file";
import { addNote, retractNote } from "@/lib/casework/note";
import type { Place } from "@/lib/casework/place";
import { FileNamed, type Noting, type Removing, type Retracting } from "@/lib/casework/rules";
import { FILE_HEADERS, FILE_MOST_BYTES } from "@/lib/casework/view";
import { isStorable } from "@/lib/contract/shared";
import type { Holder } from "@/lib/errors/result";
import { publish } from "@/lib/live/publish";
import type { Download } from "@/lib/query";
import { kycCase, staff } from "@/lib/store/schema";
import type { Db, Tx } from "@/lib/store/store";
import { isUuid } from "@/lib/text/hash";
import { type Sent, upload } from "@/lib/upload";
import { kycDecision, kycEvent } from "./schema";

/** Who decides, authorises or audits: whoever talks to the holder is not to know what the team suspects. */
const READERS = ["kyc:note", "approvals:authorize", "audit:read"] as const satisfies readonly Permission[];

/** Whether somebody with these roles reads what the team writes down about a case, and its files. */
export const readsNotes = (roles: readonly Role[]): boolean => READERS.some((permission) => can(roles, permission));

/** What can happen to a case. */
export const CASE_EVENT_KINDS = [
  /** First seen; detail: status, process. */
  "seen",
  /** The provider moved it; detail: from, to, process. */
  "moved",
  /** Another process of a case that was known already was listed; detail: status, process. */
  "record-seen",
  "started",
  "claimed",
  "released",
  /** detail: to (staff id). */
  "assigned",
  /** detail: from (staff id). */
  "taken-over",
  /** detail: tag. */
  "tagged",
  "untagged",
  /** detail: noteId. */
  "noted",
  "note-retracted",
  /** detail: fileId. */
  "file-added",
  "file-removed",
  /** A decision went out; detail: intentId, decision. */
  "decided",
  /** It ended otherwise; detail: intentId, decision, state. */
  "decision-refused",
  "decision-unknown",
  /** detail: dossierId. */
  "dossier-sealed",
] as const;
export type CaseEventKind = (typeof CASE_EVENT_KINDS)[number];

export type CaseEvent = {
  tenant: string;
  kycUUID: string;
  kind: CaseEventKind;
  /** Staff id; null: the provider, or nobody. */
  actor: string | null;
  /** Ids, codes and numbers; never personal data. */
  detail?: Record<string, string | number | boolean | null>;
};

/** Puts on the timelines what happened, in the transaction in which it does. */
export async function noteEvents(tx: Db | Tx, events: readonly CaseEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.insert(kycEvent).values(events.map(({ detail = {}, ...event }) => ({ ...event, detail })));
}

/** Whether our people ever decided the case, whatever came of it: its dossier names what was put to it. */
export const isDecided = async (store: Db | Tx, tenant: string, kycUUID: string): Promise<boolean> =>
  (await store.$count(kycDecision, and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))) > 0;

/** A case as notes and files are put to it. */
export const caseTarget = (tenant: string, kycUUID: string): Place => ({
  object: `kyc:${kycUUID}`,
  isThere: async (tx) => (await tx.$count(kycCase, and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)))) > 0,
  isHeld: (tx) => isDecided(tx, tenant, kycUUID),
  tell: async (tx, { kind, by: actor, ...detail }) => {
    await noteEvents(tx, [{ tenant, kycUUID, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  },
});

/** A header holds no letters beyond ASCII: it comes as base64url of its UTF-8. */
const nameIn = (headers: Headers) => Buffer.from(headers.get(FILE_HEADERS.name) ?? "", "base64url").toString("utf8");

/** Puts the file that was sent to the case that the address names. Throws as `addFile` does. */
export async function putToCase(actor: Actor<"kyc:note">, { bytes, headers, segments }: Sent): Promise<null> {
  const kycUUID = segments["id"] ?? "";
  const named = { fileId: headers.get(FILE_HEADERS.id), name: nameIn(headers) };
  const file = FileNamed.safeParse(named);
  if (!file.success) throw new BankError("invalid", { code: "file-name" });
  if (!isStorable(kycUUID)) throw new BankError("not-found", { code: "casework" });
  return addFile(actor, caseTarget(actor.tenant, kycUUID), { ...file.data, bytes });
}

/** Takes a file of a case away. Throws as `removeFile` does. */
export const removeFromCase = (actor: Actor<"kyc:note">, { id, ...removal }: Removing): Promise<null> =>
  removeFile(actor, caseTarget(actor.tenant, id), removal);

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A file of a case as a download, on record before it is answered. Throws not-found, and forbidden to who may not read it. */
export async function takeFile(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  fileId: string,
): Promise<Download<Uint8Array>> {
  if (!isStorable(kycUUID) || !isUuid(fileId)) throw new BankError("not-found", { code: "casework" });
  if (!readsNotes(actor.roles)) throw new BankError("forbidden", { code: "kyc:note" });
  const { name, mediaType, bytes } = await openFile(actor, `kyc:${kycUUID}`, fileId);
  return { fileName: downloadName(name, mediaType), contentType: mediaType, parts: whole(bytes) };
}

export type CasePlace = { tenant: string; kycUUID: string };

export const whereCase = ({ tenant, kycUUID }: CasePlace) =>
  and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID));

function withHolder(store: Db | Tx, place: CasePlace) {
  const { assigneeId: id, assignedAt, status } = kycCase;
  return store
    .select({ id, name: staff.name, assignedAt, status })
    .from(kycCase)
    .leftJoin(staff, eq(staff.id, id))
    .where(whereCase(place));
}

type Found = Awaited<ReturnType<typeof withHolder>>[number];

const holderIn = ({ id, name, assignedAt }: Found): Holder | null =>
  id === null ? null : { id, name: name ?? "", since: (assignedAt ?? new Date(0)).toISOString() };

/** Whose the case is now; null: nobody's, or there is none. */
export async function readHolder(store: Db | Tx, place: CasePlace): Promise<Holder | null> {
  const [found] = await withHolder(store, place);
  return found === undefined ? null : holderIn(found);
}

/** Whose the case is, which nobody changes until the transaction ends. Throws `BankError` not-found. */
export async function holdCase(tx: Tx, place: CasePlace): Promise<Holder | null> {
  const [found] = await withHolder(tx, place).for("update", { of: kycCase });
  if (found === undefined) throw new BankError("not-found", { code: "kyc-case" });
  return holderIn(found);
}

/** Nobody decides a case that is not theirs. Throws conflict `case-not-yours`, which tells whose it is and since when. */
export async function requireOwnCase(tx: Tx, place: CasePlace, staffId: string): Promise<void> {
  const holder = await holdCase(tx, place);
  if (holder?.id !== staffId) throw new BankError("conflict", { code: "case-not-yours", holder });
}

/** Writes a note down about a case. Throws as `addNote` does. */
export const noteOnCase = (actor: Actor<"kyc:note">, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, caseTarget(actor.tenant, id), note);

/** Takes back one's own note about a case. Throws as `retractNote` does. */
export const retractOnCase = (actor: Actor<"kyc:note">, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, caseTarget(actor.tenant, id), noteId);

/** Takes a file for a case, from the screen that shows it. */
export const addCaseFile = upload("kyc:note", FILE_MOST_BYTES, putToCase);
