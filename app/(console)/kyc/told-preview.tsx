import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Stop } from "@/lib/tipping-off";

/** What the provider will be told, to the letter; what may not leave is marked. */
export function ToldPreview({ text, stops }: { text: string; stops: readonly Stop[] }) {
  const t = useTranslations("kyc");
  const last = stops.at(-1)?.to ?? 0;
  return (
    <figure className="rounded border border-line bg-canvas px-3 py-2.5">
      <figcaption className="flex items-center gap-1.5 text-sm text-muted">
        <Send aria-hidden size={13} />
        {t("told")}
      </figcaption>
      <blockquote className="mt-1 wrap-anywhere whitespace-pre-line">
        {stops.map(({ from, to }, n) => (
          <span key={from}>
            {text.slice(stops[n - 1]?.to ?? 0, from)}
            <mark className="rounded-sm bg-negative-tint px-0.5 font-medium text-negative">{text.slice(from, to)}</mark>
          </span>
        ))}
        {text.slice(last)}
      </blockquote>
    </figure>
  );
}
