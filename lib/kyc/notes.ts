import { and, eq } from "drizzle-orm";
import { isUnderApproval } from "@/lib/approvals/records";
import type { Actor } from "@/lib/permission/grant";
import { can, type Permission, type Role } from "@/lib/permission/permission";
import { addNote, retractNote } from "@/lib/notes/note";
import type { NoteTarget } from "@/lib/notes/target";
import type { Noting, Retracting } from "@/lib/notes/inputs";
import { publish } from "@/lib/db/publish";
import { kycCase, kycDecision } from "@/lib/db/tables/kyc";
import type { Db, Tx } from "@/lib/db/connection";
import { whereCase } from "./holder";
import { noteCaseEvents } from "./events";

/** Support talks to the holder and must not know the team's suspicions. */
const READERS = ["kyc:note", "approvals:authorize", "audit:read"] as const satisfies readonly Permission[];

export const readsNotes = (roles: readonly Role[]): boolean => READERS.some((permission) => can(roles, permission));

/** Whatever the outcome, the dossier names the case's notes and files. */
export const isDecided = async (store: Db | Tx, tenant: string, kycUUID: string): Promise<boolean> =>
  (await store.$count(kycDecision, and(eq(kycDecision.tenant, tenant), eq(kycDecision.kycUUID, kycUUID)))) > 0;

/** From the proposal on, as the approver's evidence must stay. */
export const isCaseHeld = async (store: Db | Tx, tenant: string, kycUUID: string): Promise<boolean> =>
  (await isDecided(store, tenant, kycUUID)) || isUnderApproval(store, tenant, `kyc:${kycUUID}`);

export const caseTarget = (tenant: string, kycUUID: string): NoteTarget => ({
  object: `kyc:${kycUUID}`,
  isThere: async (tx) => (await tx.$count(kycCase, whereCase({ tenant, kycUUID }))) > 0,
  isHeld: (tx) => isCaseHeld(tx, tenant, kycUUID),
  notify: async (tx, { kind, by: actor, ...detail }) => {
    await noteCaseEvents(tx, [{ tenant, kycUUID, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  },
});

export const noteOnCase = (actor: Actor<"kyc:note">, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, caseTarget(actor.tenant, id), note);

export const retractOnCase = (actor: Actor<"kyc:note">, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, caseTarget(actor.tenant, id), noteId);
