import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { addFile, openFile, removeFile } from "@/lib/casework/file";
import { downloadName } from "@/lib/casework/file-type";
import { FileNamed, type Removing } from "@/lib/casework/rules";
import { FILE_HEADERS } from "@/lib/casework-terms";
import { isStorable } from "@/lib/contract/shared";
import type { Download } from "@/lib/query";
import type { Sent } from "@/lib/upload";
import { isUuid } from "@/lib/uuid";
import { readsNotes } from "./confidence";
import { caseAt } from "./place";

/** A header holds no letters beyond ASCII: it comes as base64url of its UTF-8. */
const nameIn = (headers: Headers) => Buffer.from(headers.get(FILE_HEADERS.name) ?? "", "base64url").toString("utf8");

/** Puts the file that was sent to the case that the address names. Throws as `addFile` does. */
export async function putToCase(actor: Actor<"kyc:note">, { bytes, headers, segments }: Sent): Promise<null> {
  const kycUUID = segments["id"] ?? "";
  const named = { fileId: headers.get(FILE_HEADERS.id), name: nameIn(headers) };
  const file = FileNamed.safeParse(named);
  if (!file.success) throw new BankError("invalid", { code: "file-name" });
  if (!isStorable(kycUUID)) throw new BankError("not-found", { code: "casework" });
  return addFile(actor, caseAt(actor.tenant, kycUUID), { ...file.data, bytes });
}

/** Takes a file of a case away. Throws as `removeFile` does. */
export const removeFromCase = (actor: Actor<"kyc:note">, { id, ...removal }: Removing): Promise<null> =>
  removeFile(actor, caseAt(actor.tenant, id), removal);

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
