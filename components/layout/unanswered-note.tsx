import { useTranslations } from "next-intl";
import { LateNote } from "@/components/ui/skeleton";

/** While the provider is called: says after some seconds that no answer came, and where the result will appear. */
export function UnansweredNote({ className }: { className?: string }) {
  const t = useTranslations("common");
  return <LateNote {...(className !== undefined && { className })}>{t("unanswered")}</LateNote>;
}
