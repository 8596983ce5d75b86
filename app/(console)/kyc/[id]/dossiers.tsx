import { Hourglass, ShieldCheck } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { ClientMessages } from "@/components/client-messages";
import { CopyButton } from "@/components/copy-button";
import { RecordSection } from "@/components/record-columns";
import { Badge, type Tone } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import { type CaseDossier, listDossiers } from "@/lib/kyc/queries";
import { dossierAnchor } from "./dossier-anchor";
import { DossierDownload } from "./dossier-download";

const TONES: Record<NonNullable<CaseDossier["sealed"]>["end"], Tone> = {
  DONE: "positive",
  REFUSED: "negative",
  UNKNOWN: "warning",
};

/** Far enough to tell two apart; the whole of it is copied. */
const SHORT = 12;

/** The evidence of what our people decided about the case, newest first, to be read and to be taken out. */
export async function Dossiers({ kycUUID }: { kycUUID: string }) {
  const [desk, dossiers, t] = await Promise.all([requireDesk(), listDossiers(kycUUID), getTranslations("dossiers")]);
  const denial = await denialOf(desk.permissions, "dossiers:export");
  return (
    <RecordSection id="dossiers" title={t("title")}>
      <ClientMessages namespaces={["dossiers"]}>
        {dossiers.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("none")}</p> : null}
        <ol className="divide-y divide-line border-line not-empty:border-y">
          {dossiers.map((dossier, index) => {
            const isLatest = dossiers.findIndex(({ intentId }) => intentId === dossier.intentId) === index;
            const anchor = isLatest ? dossierAnchor(dossier.intentId) : undefined;
            return <Dossier key={dossier.id} dossier={dossier} anchor={anchor} denial={denial} />;
          })}
        </ol>
        <p className="px-5 pt-2 text-sm text-muted">
          {t("what")} {dossiers.length > 0 && denial === null ? t("clear") : null}
        </p>
      </ClientMessages>
    </RecordSection>
  );
}

type DossierProps = { dossier: CaseDossier; anchor: string | undefined; denial: string | null };

async function Dossier({ dossier, anchor, denial }: DossierProps) {
  const [t, locale] = await Promise.all([getTranslations("dossiers"), getLocale()]);
  const { id, decision, byName, frozenAt, sealed } = dossier;
  const Icon = sealed === null ? Hourglass : ShieldCheck;
  return (
    <li id={anchor} className="space-y-2 px-5 py-3 target:bg-hover">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex items-center gap-1.5 font-medium">
          <Icon aria-hidden size={13} className="shrink-0 text-muted" />
          {t("of", { decision, name: byName })}
        </span>
        <time dateTime={frozenAt} className="text-sm text-muted tabular-nums">
          {formatDateTime(frozenAt, locale)}
        </time>
        <Badge tone={sealed === null ? "info" : TONES[sealed.end]}>
          {sealed === null ? t("open") : t(`ends.${sealed.end}`)}
        </Badge>
      </div>
      {sealed === null ? (
        <p className="max-w-prose text-sm text-muted">{t("openWhat")}</p>
      ) : (
        <>
          <p className="flex items-center gap-1.5 text-sm text-muted">
            {t("hash")} <code className="font-mono">{sealed.sha256.slice(0, SHORT)}…</code>
            <CopyButton text={sealed.sha256} label={t("copyHash")} />
          </p>
          <DossierDownload dossierId={id} time={formatDateTime(sealed.at, locale)} denial={denial} />
        </>
      )}
    </li>
  );
}
