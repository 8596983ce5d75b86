import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { isThisMachine, type SafeLink as Link } from "@/lib/text/safe-link";

/** Clickable only when safe, with the host visible and no referrer. */
export function SafeLink({ link, name }: { link: Link; name?: string }) {
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
      title={t("opensAt", { host: link.host })}
      className="relative z-1 inline-flex max-w-full items-center gap-1 py-1 text-accent hover:underline"
    >
      <span className="min-w-0 wrap-anywhere whitespace-normal">
        {name}
        {/* Wrapped, never cut: the real owner is at the end of a host name. */}
        {name !== undefined && isThisMachine(link.host) ? null : (
          <>
            {name === undefined ? null : ": "}
            {link.host.split(/(?<=\.)/).map((label, index) => (
              <Fragment key={`${index} ${label}`}>
                {label}
                <wbr />
              </Fragment>
            ))}
          </>
        )}
      </span>
      <Icon of="arrow-up-right" size={13} className="shrink-0" />
    </a>
  );
}
