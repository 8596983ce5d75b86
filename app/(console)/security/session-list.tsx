"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Age } from "@/components/freshness/age";
import { Confirmation } from "@/components/layout/confirmation";
import { type Column, DataTable } from "@/components/table/data-table";
import { FailureNotice } from "@/components/layout/failure-text";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { useAction } from "@/components/session/use-action";
import { endOtherSessions, endOwnSession } from "@/lib/security/actions";
import type { OwnSession } from "@/lib/auth/view";
import type { Failure } from "@/lib/errors/result";
import { formatDateTime } from "@/lib/text/format";

type SessionListProps = { sessions: OwnSession[]; now: string };

function useDeviceName() {
  const t = useTranslations("security");
  return ({ browser, system }: OwnSession): string => {
    const name = browser ?? t("unknownBrowser");
    return system === null ? name : t("browserOn", { browser: name, system });
  };
}

export function SessionList({ sessions, now }: SessionListProps) {
  const t = useTranslations("security");
  const router = useRouter();
  const { pending, run } = useAction(endOtherSessions);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [ended, setEnded] = useState<number | null>(null);
  const noteEnded = (count: number) => {
    setFailure(null);
    setEnded(count);
    router.refresh();
  };
  const columns: Column[] = [
    { header: t("device"), width: "w-[28cqi]" },
    { header: t("how"), from: "wide", width: "w-[22cqi]" },
    { header: t("address"), from: "medium" },
    { header: t("openedAt"), from: "wide" },
    { header: t("seenAt") },
    { header: t("end"), width: "w-[7rem]", align: "end", isHeaderHidden: true },
  ];
  return (
    <section aria-labelledby="sessions">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-5 pb-3">
        <div className="min-w-0 flex-1 basis-72">
          <h2 id="sessions" className="font-semibold">
            {t("sessions")}
          </h2>
          <p className="mt-0.5 text-sm text-muted">{sessions.length > 1 ? t("sessionsLead") : t("onlyOne")}</p>
        </div>
        {sessions.length > 1 ? (
          <Button isBusy={pending} onClick={() => run(null, noteEnded, setFailure)}>
            {t("endOthers")}
          </Button>
        ) : null}
      </div>
      <FailureNotice failure={failure} className="mx-5 mb-3" />
      <DataTable label={t("sessions")} columns={columns} isStacked>
        {sessions.map((session) => (
          <SessionRow key={session.ref} session={session} now={now} onEnded={noteEnded} onFailed={setFailure} />
        ))}
      </DataTable>
      <Confirmation onDismiss={() => setEnded(null)}>
        {ended === null ? null : t("ended", { count: ended })}
      </Confirmation>
    </section>
  );
}

const Caption = ({ children }: { children: string }) => (
  <span className="hidden w-32 text-faint @max-[38rem]:inline-block">{children}</span>
);

type SessionRowProps = {
  session: OwnSession;
  now: string;
  onEnded: (count: number) => void;
  onFailed: (failure: Failure) => void;
};

function SessionRow({ session, now, onEnded, onFailed }: SessionRowProps) {
  const t = useTranslations("security");
  const locale = useLocale();
  const device = useDeviceName()(session);
  const { pending, run } = useAction(endOwnSession);
  const openedAt = formatDateTime(session.openedAt, locale);
  const way = session.how === "oidc" ? t("byOidc") : t("byPassword");
  return (
    <tr>
      <td>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1.5">
          <span className="font-medium">{device}</span>
          {session.isThis ? <Badge tone="positive">{t("thisDevice")}</Badge> : null}
        </span>
      </td>
      <td data-from="wide">
        <Caption>{t("how")}</Caption>
        <span className="text-muted">{session.secondFactor ? `${way} ${t("secondFactorYes")}` : way}</span>
      </td>
      <td data-from="medium" className="tabular-nums">
        <Caption>{t("address")}</Caption>
        {session.maskedAddress ?? <span className="text-muted">{t("unknownAddress")}</span>}
      </td>
      <td data-from="wide" className="text-muted tabular-nums">
        <Caption>{t("openedAt")}</Caption>
        {openedAt}
      </td>
      <td className="text-muted">
        <Caption>{t("seenAt")}</Caption>
        <Age since={session.seenAt} now={now} />
      </td>
      <td data-align="end">
        {session.isThis ? null : (
          <Button
            size="small"
            isBusy={pending}
            aria-label={t("endLabel", { device, openedAt })}
            onClick={() => run(session.ref, (isEnded) => onEnded(isEnded ? 1 : 0), onFailed)}
          >
            {t("end")}
          </Button>
        )}
      </td>
    </tr>
  );
}
