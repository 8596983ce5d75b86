"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { draftOf, rulesOf } from "@/app/(console)/settings/kyc/rules-draft";
import { usePolicyWords } from "@/app/(console)/settings/approvals/policies";
import { PolicyNumbers } from "@/app/(console)/settings/approvals/policy-numbers";
import type { PolicyView } from "@/app/(console)/settings/approvals/policy-dialog";
import { Confirmation } from "@/components/layout/confirmation";
import { FailureNotice } from "@/components/layout/failure-text";
import { useAction } from "@/components/session/use-action";
import { type Columns, DataTable } from "@/components/table/data-table";
import { Button } from "@/components/ui/button";
import { setApprovalPolicy } from "@/lib/approvals/actions";
import type { CalendarView } from "@/lib/calendar/queries";
import { STANDARD_CALENDAR } from "@/lib/calendar/view";
import { changeCalendar, changeRules } from "@/lib/kyc/actions";
import type { RulesView } from "@/lib/kyc/queries";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import { termsOf } from "@/lib/permission/writes";
import { changeAlarmBounds } from "@/lib/privacy/actions";
import { type AlarmBounds, BOUND_NAMES, STANDARD_BOUNDS } from "@/lib/privacy/alarm-view";
import { formatDateTime } from "@/lib/text/format";
import { newIntentId } from "@/lib/text/intent";

type Changed = { byName: string | null; at: string };

type ValueRow = {
  key: string;
  name: string;
  area: "calendar" | "kyc" | "approvals" | "alarms";
  value: string;
  standard: string;
  terms?: { value: ReactNode; standard: ReactNode };
  /** Null: never changed, or not within the versions that are read. */
  changed: Changed | null;
  /** Of its part of the settings; 0: never changed. */
  version: number;
  reset: () => void;
};

type BoundsView = {
  version: number;
  bounds: AlarmBounds;
  history: (Changed & { before: AlarmBounds; after: AlarmBounds })[];
};

type ValueTableProps = { calendar: CalendarView; rules: RulesView; policies: PolicyView[]; bounds: BoundsView };

type Resetting = { finish: (made: object) => void; fail: (failed: { kind: string }) => void };

const CLOCKS = ["opens", "closes", "tedOpens", "tedCloses"] as const;

function useCalendarRows({ calendar: view }: ValueTableProps, { finish, fail }: Resetting) {
  const t = useTranslations();
  const { failure, run } = useAction(changeCalendar);
  const { version, calendar, history } = view;
  const put = (change: Partial<typeof calendar>) => run({ ...calendar, ...change, version }, finish, fail);
  const clocks = CLOCKS.map((part): ValueRow => ({
    key: part,
    name: t(`calendar.parts.${part}`),
    area: "calendar",
    value: calendar[part],
    standard: STANDARD_CALENDAR[part],
    changed: history.find(({ changes }) => changes.some((change) => change.part === part)) ?? null,
    version,
    reset: () => put({ [part]: STANDARD_CALENDAR[part] }),
  }));
  const holidays: ValueRow = {
    key: "holidays",
    name: t("calendar.holidays"),
    area: "calendar",
    value: t("settingValues.holidays", { count: calendar.holidays.length }),
    standard: t("settingValues.holidays", { count: 0 }),
    changed: history.find(({ changes }) => changes.some((change) => change.part === "holiday")) ?? null,
    version,
    reset: () => put({ holidays: [] }),
  };
  return { rows: [...clocks, holidays], failure };
}

function useRuleRows({ rules: view }: ValueTableProps, { finish, fail }: Resetting) {
  const t = useTranslations();
  const { failure, run } = useAction(changeRules);
  const { version, rules, history } = view;
  const put = (change: Partial<typeof rules>) =>
    run({ ...rulesOf(draftOf({ ...rules, ...change })), version, intentId: newIntentId() }, finish, fail);
  const hours = (count: number) => t("approvalPolicy.hours", { hours: count });
  const said = {
    slaPf: [hours(rules.slaHours.PF), hours(STANDARD_RULES.slaHours.PF)],
    slaPj: [hours(rules.slaHours.PJ), hours(STANDARD_RULES.slaHours.PJ)],
    slaClock: [
      t(`caseRules.slaClocks.${rules.slaClock ?? "continuous"}`),
      t(`caseRules.slaClocks.${STANDARD_RULES.slaClock ?? "continuous"}`),
    ],
    dueSoon: [hours(rules.dueSoonHours), hours(STANDARD_RULES.dueSoonHours)],
    sharing: [rules.openCasesMax, STANDARD_RULES.openCasesMax].map((most) =>
      most === null ? t("settingValues.off") : String(most),
    ),
  };
  const resets = {
    slaPf: () => put({ slaHours: { ...rules.slaHours, PF: STANDARD_RULES.slaHours.PF } }),
    slaPj: () => put({ slaHours: { ...rules.slaHours, PJ: STANDARD_RULES.slaHours.PJ } }),
    slaClock: () => put({ slaClock: STANDARD_RULES.slaClock ?? "continuous" }),
    dueSoon: () => put({ dueSoonHours: STANDARD_RULES.dueSoonHours }),
    sharing: () => put({ openCasesMax: STANDARD_RULES.openCasesMax }),
  };
  const rows = (["slaPf", "slaPj", "slaClock", "dueSoon", "sharing"] as const).map((part): ValueRow => ({
    key: part,
    name: t(`caseRules.parts.${part}`),
    area: "kyc",
    value: said[part][0] ?? "",
    standard: said[part][1] ?? "",
    changed: history.find(({ changes }) => changes.some((change) => change.part === part)) ?? null,
    version,
    reset: resets[part],
  }));
  return { rows, failure };
}

function usePolicyRows({ policies }: ValueTableProps, { finish, fail }: Resetting) {
  const t = useTranslations();
  const words = usePolicyWords();
  const { failure, run } = useAction(setApprovalPolicy);
  const rows = policies.map(({ kind, policy, history }): ValueRow => {
    const { standard } = termsOf(kind);
    const { version } = policy;
    return {
      key: kind,
      name: t(`writes.${kind}`),
      area: "approvals",
      value: words(policy),
      standard: words({ ...standard, version: 0 }),
      terms: {
        value: <PolicyNumbers policy={policy} />,
        standard: <PolicyNumbers policy={{ ...standard, version: 0 }} />,
      },
      changed: history[0] ?? null,
      version,
      reset: () => run({ ...standard, kind, version, intentId: newIntentId() }, finish, fail),
    };
  });
  return { rows, failure };
}

function useBoundRows({ bounds: { version, bounds, history } }: ValueTableProps, { finish, fail }: Resetting) {
  const t = useTranslations();
  const { failure, run } = useAction(changeAlarmBounds);
  const rows = BOUND_NAMES.map((name): ValueRow => ({
    key: name,
    name: t(`alarmBounds.names.${name}`),
    area: "alarms",
    value: String(bounds[name]),
    standard: String(STANDARD_BOUNDS[name]),
    changed: history.find(({ before, after }) => before[name] !== after[name]) ?? null,
    version,
    reset: () => run({ ...bounds, [name]: STANDARD_BOUNDS[name], version }, finish, fail),
  }));
  return { rows, failure };
}

export function ValueTable(props: ValueTableProps) {
  const t = useTranslations();
  const locale = useLocale();
  const router = useRouter();
  const [done, setDone] = useState<string | null>(null);
  const resetting: Resetting = {
    finish: (made) => {
      setDone(t("state" in made ? "settingValues.proposed" : "settingValues.done"));
      router.refresh();
    },
    // Somebody else changed it: what is in force now is shown beside the refusal.
    fail: ({ kind }) => kind === "conflict" && router.refresh(),
  };
  const parts = [
    useCalendarRows(props, resetting),
    useRuleRows(props, resetting),
    usePolicyRows(props, resetting),
    useBoundRows(props, resetting),
  ];
  const columns: Columns<ValueRow> = {
    name: {
      header: t("settingValues.columns.name"),
      width: "text",
      td: "py-1.5 whitespace-normal!",
      cell: ({ name, area }) => (
        <>
          <span className="block font-medium">{name}</span>
          <Link href={`/settings/${area}`} prefetch={false} className="text-sm text-accent hover:underline">
            {t(`settings.${area}`)}
          </Link>
        </>
      ),
    },
    value: {
      header: t("settingValues.columns.value"),
      width: "text",
      td: "py-1.5 whitespace-normal! tabular-nums",
      cell: ({ value, standard, terms }) => (
        <>
          {terms?.value ?? value}
          {value === standard ? null : (
            <div className="text-sm text-muted @wide:hidden">
              {t("settingValues.standardIs", { standard: terms === undefined ? standard : "" })}
              {terms?.standard}
            </div>
          )}
        </>
      ),
    },
    standard: {
      header: t("settingValues.columns.standard"),
      width: "text",
      from: "wide",
      td: "py-1.5 whitespace-normal! tabular-nums text-muted",
      cell: ({ value, standard, terms }) => {
        if (terms === undefined) return standard;
        return value === standard ? t("settingValues.same") : terms.standard;
      },
    },
    changed: {
      header: t("settingValues.columns.changed"),
      width: "name",
      td: "py-1.5 whitespace-normal! tabular-nums text-muted",
      cell: ({ changed, version, value, standard }) => {
        if (changed !== null)
          return t("settings.byAt", {
            name: changed.byName ?? t("addressList.command"),
            time: formatDateTime(changed.at, locale),
          });
        return t(version === 0 || value === standard ? "settingValues.never" : "settingValues.longAgo");
      },
    },
    action: {
      header: t("settingValues.columns.action"),
      width: "status",
      align: "end",
      isHeaderHidden: true,
      cell: ({ name, value, standard, reset }) =>
        value === standard ? null : (
          <span className="flex justify-end py-1.5 @max-medium:justify-start">
            <Button size="small" aria-label={t("alarmBounds.resetOf", { name })} onClick={reset}>
              {t("alarmBounds.reset")}
            </Button>
          </span>
        ),
    },
  };
  return (
    <>
      {parts.map(({ failure }, nth) => (
        <FailureNotice key={nth} failure={failure} className="mx-5 mb-3" />
      ))}
      <DataTable
        label={t("settingValues.title")}
        columns={columns}
        rows={parts.flatMap(({ rows }) => rows)}
        keyOf={({ area, key }) => `${area} ${key}`}
        narrow="block"
      />
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
