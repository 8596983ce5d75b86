import { useTranslations } from "next-intl";
import { LateNote } from "@/components/ui/skeleton";

/** While something is on its way to the provider: says after some seconds that no answer came, and where it will stand. */
export function UnansweredNote({ className }: { className?: string }) {
  const t = useTranslations("common");
  return <LateNote {...(className !== undefined && { className })}>{t("unanswered")}</LateNote>;
}
