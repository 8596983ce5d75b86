import { NotFoundView } from "@/components/layout/empty-view";
import type { Metadata } from "next";
import { useLocale, useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { SecondFactor, StateBadge } from "@/app/(console)/staff/staff-words";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { PageHeader } from "@/components/layout/page-header";
import { useActorName } from "@/components/table/actor-name";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { Age } from "@/components/freshness/age";
import { LiveRefresh } from "@/components/live/live-refresh";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { isRole } from "@/lib/permission/permission";
import { getPerson, type PersonView, rolesWithFactor } from "@/lib/staff/queries";
import { formatCount, formatDate, formatDateTime } from "@/lib/text/format";
import { PersonActions } from "./person-actions";

type Entry = PersonView["history"][number];

function History({ entries }: { entries: Entry[] }) {
  const t = useTranslations("staff");
  return (
    <RecordSection id="history" title={t("history")}>
      {entries.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noHistory")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {entries.map((entry) => (
          <HistoryLine key={entry.seq} entry={entry} />
        ))}
      </ol>
      <p className="px-5 pt-2 text-sm text-muted">{t("historyNote")}</p>
    </RecordSection>
  );
}

function HistoryLine({ entry }: { entry: Entry }) {
  const t = useTranslations();
  const locale = useLocale();
  const change = useChange()(entry);
  return (
    <li className="px-5 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{t(`audit.codes.${entry.code}`)}</span>
        {entry.outcome === "REFUSED" ? <Badge tone="warning">{t("staff.refusedOutcome")}</Badge> : null}
        <time dateTime={entry.at} className="ml-auto text-sm text-muted tabular-nums">
          {formatDateTime(entry.at, locale)}
        </time>
      </div>
      <p className="text-sm text-muted">
        {change === null ? null : <span className="text-ink">{change} </span>}
        <By entry={entry} />
      </p>
    </li>
  );
}

function By({ entry }: { entry: Entry }) {
  const t = useTranslations("staff");
  return t("by", { name: useActorName()(entry) });
}

const isStaffState = (word: string): word is "active" | "disabled" => word === "active" || word === "disabled";

function useChange(): (entry: Entry) => string | null {
  const t = useTranslations();
  const worded = (value: unknown): string | null => {
    if (typeof value === "boolean") return t(value ? "staff.factorOn" : "staff.factorOff");
    if (typeof value !== "string") return null;
    if (isStaffState(value)) return t(`staff.state.${value}`);
    return value
      .split(",")
      .map((word) => (isRole(word) ? t(`roles.${word}`) : word))
      .join(", ");
  };
  return ({ detail }) => {
    const before = worded(detail["before"]);
    const after = worded(detail["after"]);
    if (before !== null && after !== null) return t("staff.fromTo", { before, after });
    return detail["roles"] === undefined ? null : worded(detail["roles"]);
  };
}

// No name or e-mail: titles stay in the browser's history.
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("staff"))("title") };
}

async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("staff:manage")) return <ForbiddenView screen="staff" />;
  const { id } = await params;
  const [person, t] = await Promise.all([getPerson(id), getTranslations("staff")]);
  if (!person) return <NotFoundView />;
  const { row, denials, openSessions, isLinkShown, leaves } = person;
  const staffScope = { tenant: scope.tenant.name, rolesWithFactor: rolesWithFactor() };
  return (
    <>
      <LiveRefresh topics={["staff"]} object={row.id} />
      <PageHeader title={row.name} parent={{ href: "/staff", label: t("title") }}>
        <PersonActions person={{ row, denials, openSessions, isLinkShown, leaves }} staffScope={staffScope} />
      </PageHeader>
      <RecordColumns aside={<History entries={person.history} />}>
        <RecordSection id="access" title={t("access")}>
          <Facts person={person} />
          <Notices person={person} />
        </RecordSection>
        <RolesElsewhere person={person} tenant={staffScope.tenant} />
      </RecordColumns>
    </>
  );
}

export default screen("app/(console)/staff/[id]/page", PersonPage);

async function Facts({ person: { row, joinedAt, openSessions, asOf } }: { person: PersonView }) {
  const [t, locale] = await Promise.all([getTranslations("staff"), getLocale()]);
  const isOffAndFine = row.hasSecondFactor === false && !row.lacksSecondFactor;
  return (
    <DescriptionList>
      <Described name={t("columns.state")}>
        <StateBadge state={row.state} />
      </Described>
      <Described name={t("email")}>{row.email}</Described>
      <Described name={t("columns.factor")}>
        {isOffAndFine ? (
          <span className="text-muted">{t(row.isDemo ? "noFactorInDemo" : "noFactorNeeded")}</span>
        ) : (
          <SecondFactor row={row} />
        )}
      </Described>
      <Described name={t("columns.lastActive")}>
        {row.lastActiveAt === null ? t("never") : <Age since={row.lastActiveAt} now={asOf} />}
      </Described>
      <Described name={t("openSessions")}>{formatCount(openSessions, locale)}</Described>
      <Described name={t("joined")}>{formatDate(joinedAt, locale)}</Described>
    </DescriptionList>
  );
}

async function Notices({ person: { row, hasSingleSignOn } }: { person: PersonView }) {
  const t = await getTranslations("staff");
  const notices = [
    row.lacksSecondFactor ? t("factorMissingBody") : [],
    row.isDemo ? t("demoNotice") : [],
    hasSingleSignOn ? t("singleSignOnNotice") : [],
    row.isBreakGlass ? t("breakGlassNotice") : [],
  ].flat();
  return notices.map((words) => (
    <Notice key={words} tone="info" className="mx-5 mt-3">
      {words}
    </Notice>
  ));
}

async function RolesElsewhere({ person: { row }, tenant }: { person: PersonView; tenant: string }) {
  const t = await getTranslations();
  return (
    <RecordSection id="roles" title={t("staff.rolesHeld", { tenant })}>
      <ul className="divide-y divide-line border-y border-line">
        {row.roles.map((role) => (
          <li key={role} className="px-5 py-2.5">
            <p className="font-medium">{t(`roles.${role}`)}</p>
            <p className="text-sm text-muted">{t(`roleWords.${role}`)}</p>
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}
