import { ArrowUpRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { SafeLink as Link } from "@/lib/safe-link";

const TAIL_LABELS = 3;

/** A host in two: what tells whose it is stands at its end (`name.com.br`), the rest before it. */
export function splitHost(host: string): { head: string; tail: string } {
  const labels = host.split(".");
  const tail = labels.slice(-TAIL_LABELS).join(".");
  return { head: host.slice(0, host.length - tail.length), tail };
}

type SafeLinkProps = {
  link: Link;
  /** On one line, as tables need it. */
  isCompact?: boolean;
};

/** A link the provider sent: opened only when it is safe, the end of its host always in sight, and it learns nothing of us. */
export function SafeLink({ link, isCompact = false }: SafeLinkProps) {
  const t = useTranslations("common");
  if (link.href === null) {
    const refusal = link.host === "" ? t("linkRefused") : t("linkNotHttps", { host: link.host });
    return (
      <span title={refusal} className="text-muted wrap-anywhere">
        {refusal}
      </span>
    );
  }
  return (
    <a
      href={link.href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={link.host}
      title={t("opensAt", { host: link.host })}
      className="relative z-1 inline-flex max-w-full items-center gap-1 text-accent hover:underline"
    >
      {isCompact ? <CompactHost host={link.host} /> : <span className="min-w-0 wrap-anywhere">{link.host}</span>}
      <ArrowUpRight aria-hidden size={13} className="shrink-0" />
    </a>
  );
}

/** Too long a host loses of its start, never of its end: a false one would put a trusted name in front. */
function CompactHost({ host }: { host: string }) {
  const { head, tail } = splitHost(host);
  return (
    <span className="flex min-w-0 justify-end overflow-hidden whitespace-nowrap">
      <span className="truncate">{head}</span>
      <span className="shrink-0">{tail}</span>
    </span>
  );
}
