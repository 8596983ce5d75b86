import { getTranslations } from "next-intl/server";
import { deniedReason } from "@/app/(console)/permission-denied";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { Icon } from "@/components/ui/icons";
import { LETTER_FILE } from "@/lib/accounts/view";
import type { Permission } from "@/lib/permission/permission";
import { hrefWith } from "@/lib/text/page";
import { NamedFile } from "./named-file";

type LetterFilesProps = { accountRef: string; scope: { id: string; permissions: readonly Permission[] } };

export async function LetterFiles({ accountRef, scope }: LetterFilesProps) {
  const [t, denial] = await Promise.all([
    getTranslations("accountLetter"),
    deniedReason(scope.permissions, "statement:export"),
  ]);
  const href = hrefWith(`/api/accounts/${accountRef}/letter`, { scope: scope.id });
  const label = (
    <>
      <Icon of="download" size={13} />
      {t("button")}
    </>
  );
  const look = buttonClass("quiet", "small");
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={look}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <span className="flex flex-wrap items-baseline justify-end gap-1 print:hidden">
      <a href={href} download aria-label={t("name")} className={look}>
        {label}
      </a>
      <NamedFile accountRef={accountRef} file={LETTER_FILE} href={href} name={t("named")} tone="quiet" size="small" />
    </span>
  );
}
