import { useTranslations } from "next-intl";
import { isUnopened } from "@/lib/text/typed";

export function SealedText({ text }: { text: string }) {
  const t = useTranslations("common");
  return isUnopened(text) ? <span className="text-muted italic">{t("unopened")}</span> : <bdi>{text}</bdi>;
}
