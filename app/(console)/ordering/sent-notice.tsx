import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { OrderWords } from "./order-words";

type SentNoticeProps = { words: OrderWords; onAnother: () => void };

export function SentNotice({ words, onAnother }: SentNoticeProps) {
  const t = useTranslations(words);
  return (
    <div className="px-5 py-4">
      <Notice tone="warning" live="assertive" className="max-w-4xl">
        <p className="font-medium">{t("sentTitle")}</p>
        <p className="mt-1">{t("sentBody")}</p>
        <Button size="small" className="mt-3" onClick={onAnother}>
          {t("another")}
        </Button>
      </Notice>
    </div>
  );
}
