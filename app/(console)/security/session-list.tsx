"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Age } from "@/components/freshness/age";
import { Confirmation } from "@/components/layout/confirmation";
import { type Columns, DataTable } from "@/components/table/data-table";
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
  const columns = useSessionColumns({ now, onEnded: noteEnded, onFailed: setFailure });
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
      <DataTable label={t("sessions")} columns={columns} rows={sessions} keyOf={({ ref }) => ref} narrow="block" />
      <Confirmation onDismiss={() => setEnded(null)}>
        {ended === null ? null : t("ended", { count: ended })}
      </Confirmation>
    </section>
  );
}

const Caption = ({ children }: { children: string }) => (
  <span className="hidden w-32 text-faint @max-medium:inline-block">{children}</span>
);

type Ending = { onEnded: (count: number) => void; onFailed: (failure: Failure) => void };

function useSessionColumns({ now, ...ending }: Ending & { now: string }): Columns<OwnSession> {
  const t = useTranslations("security");
  const locale = useLocale();
  const deviceOf = useDeviceName();
  const wayOf = ({ how, secondFactor }: OwnSession) => {
    const way = how === "oidc" ? t("byOidc") : t("byPassword");
    return secondFactor ? `${way} ${t("secondFactorYes")}` : way;
  };
  return {
    device: {
      header: t("device"),
      width: "text",
      td: "whitespace-normal!",
      cell: (session) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1.5">
          <span className="font-medium">{deviceOf(session)}</span>
          {session.isThis ? <Badge tone="positive">{t("thisDevice")}</Badge> : null}
        </span>
      ),
    },
    how: {
      header: t("how"),
      width: "text",
      td: "whitespace-normal!",
      cell: (session) => (
        <>
          <Caption>{t("how")}</Caption>
          <span className="text-muted">{wayOf(session)}</span>
        </>
      ),
    },
    address: {
      header: t("address"),
      width: "name",
      td: "tabular-nums",
      cell: ({ maskedAddress }) => (
        <>
          <Caption>{t("address")}</Caption>
          {maskedAddress ?? <span className="text-muted">{t("unknownAddress")}</span>}
        </>
      ),
    },
    openedAt: {
      header: t("openedAt"),
      width: "date",
      td: "text-muted tabular-nums",
      cell: ({ openedAt }) => (
        <>
          <Caption>{t("openedAt")}</Caption>
          {formatDateTime(openedAt, locale)}
        </>
      ),
    },
    seenAt: {
      header: t("seenAt"),
      width: "name",
      td: "text-muted",
      cell: ({ seenAt }) => (
        <>
          <Caption>{t("seenAt")}</Caption>
          <Age since={seenAt} now={now} />
        </>
      ),
    },
    end: {
      header: t("end"),
      width: "action",
      align: "end",
      isHeaderHidden: true,
      cell: (session) =>
        session.isThis ? null : <EndButton session={session} device={deviceOf(session)} {...ending} />,
    },
  };
}

function EndButton({ session, device, onEnded, onFailed }: Ending & { session: OwnSession; device: string }) {
  const t = useTranslations("security");
  const openedAt = formatDateTime(session.openedAt, useLocale());
  const { pending, run } = useAction(endOwnSession);
  return (
    <Button
      size="small"
      isBusy={pending}
      aria-label={t("endLabel", { device, openedAt })}
      onClick={() => run(session.ref, (isEnded) => onEnded(isEnded ? 1 : 0), onFailed)}
    >
      {t("end")}
    </Button>
  );
}
