import { type RequestBody, upload } from "@/lib/action";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { addUpload, downloadFile, removeFile } from "@/lib/notes/file";
import type { Removing } from "@/lib/notes/inputs";
import { FILE_MOST_BYTES } from "@/lib/notes/view";
import { isStorable } from "@/lib/contract/shared";
import type { Download } from "@/lib/query";
import { isUuid } from "@/lib/text/decode";
import { readsNotes, caseTarget } from "./notes";

export async function putToCase(actor: Actor<"kyc:note">, sent: RequestBody): Promise<null> {
  const kycUUID = sent.segments["id"] ?? "";
  if (!isStorable(kycUUID)) throw new AppError("not-found", { code: "casework" });
  return addUpload(actor, caseTarget(actor.tenant, kycUUID), sent);
}

export const removeFromCase = (actor: Actor<"kyc:note">, { id, ...removal }: Removing): Promise<null> =>
  removeFile(actor, caseTarget(actor.tenant, id), removal);

/** Audited before it is returned. Throws not-found, and forbidden without permission to read notes. */
export async function takeCaseFile(
  actor: Actor<"kyc:read">,
  kycUUID: string,
  fileId: string,
): Promise<Download<Uint8Array>> {
  if (!isStorable(kycUUID) || !isUuid(fileId)) throw new AppError("not-found", { code: "casework" });
  if (!readsNotes(actor.roles)) throw new AppError("forbidden", { code: "kyc:note" });
  return downloadFile(actor, `kyc:${kycUUID}`, fileId);
}

export const addCaseFile = upload("kyc:note", FILE_MOST_BYTES, putToCase);
