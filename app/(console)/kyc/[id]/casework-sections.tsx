import { Lock } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { Files } from "@/app/(console)/casework/files";
import { Notes } from "@/app/(console)/casework/notes";
import { denialOf } from "@/app/(console)/denial";
import { RecordSection } from "@/components/record-columns";
import type { Permission } from "@/lib/auth/permission";
import { addCaseNote, removeCaseFile, retractCaseNote } from "@/lib/kyc/actions";
import type { Casework } from "@/lib/kyc/queries";

type CaseworkSectionsProps = {
  kycUUID: string;
  casework: Casework;
  desk: { id: string; permissions: readonly Permission[] };
};

/** What the team wrote down and attached; to whoever may not read it, only that it is there. */
export async function CaseworkSections({ kycUUID, casework, desk }: CaseworkSectionsProps) {
  const [t, denial] = await Promise.all([getTranslations("casework"), denialOf(desk.permissions, "kyc:note")]);
  if (!casework.isReadable) {
    return (
      <>
        <Hidden id="notes" title={t("notes")} says={t("hidden", { count: casework.notes })} />
        <Hidden id="files" title={t("files")} says={t("filesHidden", { count: casework.files })} />
      </>
    );
  }
  const held = casework.isHeld ? (await getTranslations("failures"))("casework-held") : null;
  return (
    <>
      <Notes
        id={kycUUID}
        notes={casework.notes}
        denial={denial}
        held={held}
        add={addCaseNote}
        retract={retractCaseNote}
      />
      <Files
        id={kycUUID}
        address={`/api/kyc/${encodeURIComponent(kycUUID)}/files`}
        files={casework.files}
        desk={desk.id}
        denial={denial}
        held={held}
        remove={removeCaseFile}
      />
    </>
  );
}

function Hidden({ id, title, says }: { id: string; title: string; says: string }) {
  return (
    <RecordSection
      id={id}
      title={title}
      empty={says}
      action={<Lock aria-hidden size={13} className="shrink-0 self-center text-faint" />}
    />
  );
}
