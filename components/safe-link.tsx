import { ArrowUpRight } from "lucide-react";
import { useTranslations } from "next-intl";

/** A link the provider sent: only https passes the server, its host is in sight, and it learns nothing of us. */
export function SafeLink({ link }: { link: { href: string; host: string } }) {
  const t = useTranslations("common");
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
