"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { FailureNotice } from "@/components/layout/failure-text";
import { PersonName } from "@/components/layout/person-name";
import { useAction } from "@/components/session/use-action";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Button } from "@/components/ui/button";
import { takeAlarm } from "@/lib/privacy/actions";
import type { AlarmRow } from "@/lib/privacy/alarm-view";
import { formatDateTime } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";

const loadDialog = () => import("./end-alarm-dialog").then((loaded) => loaded.EndAlarmDialog);
const EndAlarmDialog = deferred(loadDialog);

type AlarmTableProps = { label: string; alarms: readonly AlarmRow[]; denial: string | null };

export function AlarmTable({ label, alarms, denial }: AlarmTableProps) {
  const t = useTranslations("alarms");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(takeAlarm);
  const [done, setDone] = useState<string | null>(null);
  const isOver = alarms.every(({ endedAt }) => endedAt !== null);
  const nameOf = ({ name }: AlarmRow) => name ?? t("unknown");
  const finish = (said: string) => {
    setDone(said);
    router.refresh();
  };
  const take = ({ id, ownerId }: AlarmRow) =>
    run(
      { alarmId: id, seen: ownerId },
      () => finish(t("taken")),
      ({ kind }) => kind === "conflict" && router.refresh(),
    );
  const columns: Columns<AlarmRow> = {
    who: {
      header: t("columns.who"),
      width: "name",
      cell: (row) => (
        <span className="block py-1.5">
          <bdi className="font-medium">{nameOf(row)}</bdi>
          <Link
            href={hrefWith("/audit", { actor: row.staffId, code: "personal-data.reveal" })}
            prefetch={false}
            aria-label={t("auditOf", { name: nameOf(row) })}
            className="block text-sm text-accent hover:underline"
          >
            {t("audit")}
          </Link>
        </span>
      ),
    },
    what: {
      header: t("columns.what"),
      width: "text",
      td: "py-1.5 whitespace-normal! tabular-nums",
      cell: ({ cause, reveals, bound, note, endedAt }) => (
        <>
          {t(`causes.${cause}`, { count: reveals, bound })}
          {endedAt === null ? null : (
            <span className="block text-sm wrap-anywhere whitespace-pre-line text-muted">
              {note ?? t("unreadNote")}
            </span>
          )}
        </>
      ),
    },
    opened: {
      header: t("columns.opened"),
      width: "date",
      td: "tabular-nums text-muted",
      cell: ({ openedAt }) => formatDateTime(openedAt, locale),
    },
    owner: {
      header: t("columns.owner"),
      width: "name",
      cell: ({ ownerName, isMine }) =>
        ownerName === null ? (
          <span className="text-faint">{t("nobody")}</span>
        ) : (
          <PersonName name={ownerName} you={isMine ? t("you") : null} />
        ),
    },
    ...(isOver
      ? {
          ended: {
            header: t("columns.ended"),
            width: "address" as const,
            td: "py-1.5 whitespace-normal! tabular-nums text-muted",
            cell: ({ endedAt, endedByName }: AlarmRow) =>
              endedAt === null
                ? null
                : t("endedBy", { name: endedByName ?? t("unknown"), time: formatDateTime(endedAt, locale) }),
          },
        }
      : {
          action: {
            header: t("columns.action"),
            width: "date" as const,
            align: "end" as const,
            isHeaderHidden: true,
            cell: (row: AlarmRow) => (
              <span className="flex flex-wrap justify-end gap-1.5 py-1.5 @max-medium:justify-start">
                {row.isMine || row.isOwn || denial !== null ? null : (
                  <Button
                    size="small"
                    isBusy={pending}
                    aria-label={t("takeOf", { name: nameOf(row) })}
                    onClick={() => take(row)}
                  >
                    {t("take")}
                  </Button>
                )}
                <DialogButton
                  label={t("end")}
                  name={t("endOf", { name: nameOf(row) })}
                  size="small"
                  denial={denial ?? (row.isOwn ? t("own") : null)}
                  load={loadDialog}
                >
                  {(close) => (
                    <EndAlarmDialog
                      alarmId={row.id}
                      name={nameOf(row)}
                      onClose={close}
                      onDone={() => {
                        close();
                        finish(t("done"));
                      }}
                    />
                  )}
                </DialogButton>
              </span>
            ),
          },
        }),
  };
  return (
    <>
      <FailureNotice failure={failure} className="mx-5 mb-3" />
      <DataTable label={label} columns={columns} rows={alarms} keyOf={({ id }) => id} narrow="block" />
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
