import { ArrowUpRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { SafeLink as Link } from "@/lib/safe-link";

/** A link the provider sent: opened only when it is https, its host in sight, and it learns nothing of us. */
export function SafeLink({ link }: { link: Link }) {
  const t = useTranslations("common");
  if (link.href === null) {
    return (
      <span className="text-muted">{link.host === "" ? t("linkRefused") : t("linkNotHttps", { host: link.host })}</span>
    );
  }
  return (
    <a
      href={link.href}
      target="_blank"
      rel="noopener noreferrer"
      title={t("opensAt", { host: link.host })}
      className="relative z-1 inline-flex max-w-full items-center gap-1 text-accent hover:underline"
    >
      <span className="truncate">{link.host}</span>
      <ArrowUpRight aria-hidden size={13} className="shrink-0" />
    </a>
  );
}
