"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { PersonName } from "@/components/layout/person-name";
import { RecordSection } from "@/components/layout/record-columns";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/layout/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { takeBiometricLink } from "@/lib/onboarding/actions";
import type { LinkView, OnboardingRecordView } from "@/lib/onboarding/queries";
import { formatDateTime } from "@/lib/text/format";

const SHOWN_MS = 2_000;

type HolderCopyProps = {
  text: string;
  /** Copying is audited; null when the text has no link. */
  linkOf: string | null;
};

export function HolderCopy({ text, linkOf }: HolderCopyProps) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(takeBiometricLink);
  const [wasCopied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (wasCopied !== true) return undefined;
    const timer = setTimeout(() => setCopied(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [wasCopied]);

  const write = (whole: string) =>
    void navigator.clipboard.writeText(whole).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const copy = () => {
    setCopied(null);
    if (linkOf === null) return write(text);
    run({ id: linkOf, use: "copied" }, ({ href }) => {
      write(`${text}\n\n${href}`);
      router.refresh();
    });
  };
  const icon = wasCopied === true ? "check" : "copy";
  return (
    <div>
      <Button size="small" isBusy={pending} onClick={copy}>
        <Icon of={icon} size={13} />
        <span aria-live="polite">{wasCopied === true ? t("copiedHolder") : t("copyHolder")}</span>
      </Button>
      <p aria-live="assertive" className="mt-1 text-sm text-negative empty:hidden">
        {failure ? <FailureText failure={failure} /> : null}
        {wasCopied === false ? t("holderNotCopied") : null}
      </p>
    </div>
  );
}

const loadDialog = () => import("./qr-dialog");
const QrDialog = deferred(() => loadDialog().then((loaded) => loaded.QrDialog));

type LinkActionsProps = { id: string; document: string; denial: string | null };

/** The link is not in the page, because taking it is audited. */
function LinkActions({ id, document, denial }: LinkActionsProps) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(takeBiometricLink);
  const [isShown, setShown] = useState(false);
  const [wasCopied, setCopied] = useState<boolean | null>(null);

  const copy = () => {
    setCopied(null);
    run({ id, use: "copied" }, ({ href }) => {
      const written = navigator.clipboard.writeText(href);
      void written.then(
        () => setCopied(true),
        () => setCopied(false),
      );
      router.refresh();
    });
  };
  if (denial !== null) {
    return (
      <div className="mt-2.5 flex flex-wrap gap-2">
        <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
          <Icon of="qr-code" size={13} />
          {t("showQr")}
        </DeniedButton>
        <DeniedButton reason={denial} className={buttonClass("plain", "small")}>
          <Icon of="copy" size={13} />
          {t("copyLink")}
        </DeniedButton>
      </div>
    );
  }
  return (
    <>
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => setShown(true)} onPointerEnter={() => void loadDialog()}>
          <Icon of="qr-code" size={13} />
          {t("showQr")}
        </Button>
        <Button size="small" isBusy={pending} onClick={copy}>
          <Icon of="copy" size={13} />
          {t("copyLink")}
        </Button>
        <p aria-live="polite" className="text-sm text-muted">
          {wasCopied === null ? t("linkOnRecord") : t(wasCopied ? "linkCopied" : "linkNotCopied")}
        </p>
      </div>
      <p aria-live="assertive" className="text-sm text-negative">
        {failure ? <FailureText failure={failure} /> : null}
      </p>
      {isShown ? <QrDialog id={id} document={document} onClose={() => setShown(false)} /> : null}
    </>
  );
}

type BiometricLinkProps = { record: OnboardingRecordView; denial: string | null };

export function BiometricLink({ record: { row, links }, denial }: BiometricLinkProps) {
  const t = useTranslations();
  const locale = useLocale();
  const current = links.find(({ goneAt }) => goneAt === null);
  return (
    <RecordSection id="link" title={t("onboardingRecord.link")}>
      <div className="border-y border-line">
        {row.biometric === null ? (
          <p className="px-5 py-3 text-muted">{t("onboarding.noBiometric")}</p>
        ) : (
          <div className="px-5 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <p className="min-w-0 flex-1 font-medium wrap-anywhere">
                {row.biometric.isSafe
                  ? row.biometric.host
                  : row.biometric.host === ""
                    ? t("onboardingRecord.linkUnsafe")
                    : t("onboardingRecord.linkUnsafeHost", { host: row.biometric.host })}
              </p>
              {current?.isNew === true ? (
                <Badge tone="warning">{t(`onboardingRecord.${links.length > 1 ? "linkNew" : "linkFirst"}`)}</Badge>
              ) : null}
            </div>
            {current === undefined ? null : (
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                {t("onboardingRecord.linkSince", { time: formatDateTime(current.appearedAt, locale) })}
              </p>
            )}
            {row.biometric.isSafe ? <LinkActions id={row.id} document={row.document} denial={denial} /> : null}
          </div>
        )}
        {links.length === 0 ? null : <History links={links} />}
      </div>
    </RecordSection>
  );
}

function History({ links }: { links: readonly LinkView[] }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  return (
    <details className="group border-t border-line">
      <summary className="cursor-pointer px-5 py-2.5 text-sm font-medium text-muted hover:text-ink">
        {t("linkHistory")}
      </summary>
      <ol aria-label={t("linkHistory")} className="divide-y divide-line border-t border-line">
        {links.map((link) => (
          <li key={link.id} className="px-5 py-2.5 text-sm">
            <p className="font-medium wrap-anywhere">{link.host}</p>
            <p className="text-muted tabular-nums">
              {t("linkAppeared", { time: formatDateTime(link.appearedAt, locale) })}
              {link.goneAt === null ? null : ` · ${t("linkGone", { time: formatDateTime(link.goneAt, locale) })}`}
            </p>
            <Uses link={link} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Uses({ link: { uses } }: { link: LinkView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  if (uses.length === 0) return <p className="text-muted">{t("linkUnused")}</p>;
  const usedText = ({ use, at }: LinkView["uses"][number], name: string) =>
    t(`linkUsed.${use}`, { name, time: formatDateTime(at, locale) });
  return (
    <ul>
      {uses.map((used) => (
        <li key={`${used.at} ${used.use} ${used.byName}`} className="tabular-nums">
          <PersonName name={usedText(used, used.byName)} you={used.isMine ? usedText(used, t("you")) : null} />
        </li>
      ))}
    </ul>
  );
}
