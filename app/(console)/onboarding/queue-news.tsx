import { useTranslations } from "next-intl";
import { NewsButton } from "@/components/news-button";

type QueueNewsProps = { arrivals: number; hasMoved: boolean; onShow: () => void };

export function QueueNews({ arrivals, hasMoved, onShow }: QueueNewsProps) {
  const t = useTranslations("onboarding");
  const news = arrivals > 0 ? t("arrivals", { count: arrivals }) : t("moved");
  return <NewsButton label={hasMoved ? news : null} onShow={onShow} />;
}
