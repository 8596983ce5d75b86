import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { isAbbreviated } from "@/lib/text/typed";

/** Warns without refusing: a document may show the name abbreviated. */
export function AbbreviationNotice({ name }: { name: string }) {
  const t = useTranslations("fields");
  if (!isAbbreviated(name)) return null;
  return (
    <Notice tone="warning" live="polite">
      {t("abbreviated")}
    </Notice>
  );
}
