import { useTranslations } from "next-intl";

const SECTIONS = ["process", "known", "related", "notes", "files", "decisions", "dossiers", "timeline"] as const;

/** Leads to each part of a long case. */
export function Sections() {
  const t = useTranslations("kycCase");
  return (
    <nav aria-label={t("jump")} className="overflow-x-auto border-t border-line">
      <ul className="flex gap-1 px-3.5 py-1.5">
        {SECTIONS.map((section) => (
          <li key={section}>
            <a
              href={`#${section}`}
              className="flex h-7 items-center rounded px-1.5 text-sm whitespace-nowrap text-muted hover:bg-hover hover:text-ink"
            >
              {t(`sections.${section}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
