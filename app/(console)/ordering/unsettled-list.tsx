import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import type { OrderWords } from "./order-words";

export function UnsettledList({ words, children }: { words: OrderWords; children: ReactNode }) {
  const t = useTranslations(words);
  const id = useId();
  return (
    <section aria-labelledby={id} className="max-w-4xl px-5 pt-4">
      <h2 id={id} className="font-semibold">
        {t("unsettledTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("unsettledLead")}</p>
      <ul className="mt-2 divide-y divide-line rounded border border-warning/30 bg-warning-tint">{children}</ul>
    </section>
  );
}
