import { linkParts } from "@/lib/text/safe-link";
import { useTranslations } from "next-intl";
import { isUnopened } from "@/lib/text/provider-word";

/** Isolates the text's direction and shows invisible characters by number. */
export function ProviderText({ text, className }: { text: string; className?: string }) {
  return (
    <bdi className={className}>
      <ProviderParts text={text} />
    </bdi>
  );
}

/** For use within an element that isolates the direction itself. */
export function ProviderParts({ text }: { text: string }) {
  return linkParts(text).map((part, index) =>
    part.isHidden ? (
      <span key={`${index} ${part.text}`} className="rounded bg-warning-tint px-0.5 font-mono text-xs text-warning">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}

export function SealedText({ text }: { text: string }) {
  const t = useTranslations("common");
  return isUnopened(text) ? <span className="text-muted italic">{t("unopened")}</span> : <bdi>{text}</bdi>;
}
