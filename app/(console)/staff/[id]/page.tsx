import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { ForbiddenView } from "@/app/(console)/forbidden-view";
import { screen } from "@/app/(console)/screen";
import { SecondFactor, StateBadge } from "@/app/(console)/staff/staff-words";
import { Age } from "@/components/age";
import { ClientMessages } from "@/components/client-messages";
import { Described, DescriptionList } from "@/components/description-list";
import { LiveRefresh } from "@/components/live-refresh";
import { PageHeader } from "@/components/page-header";
import { RecordColumns, RecordSection } from "@/components/record-columns";
import { Notice } from "@/components/ui/notice";
import { formatCount, formatDate } from "@/lib/format";
import { getPerson, rolesWithFactor, type PersonView } from "@/lib/staff/queries";
import { History } from "./history";
import { PersonActions } from "./person-actions";

// Neither the name nor the e-mail: titles stay in the browser's history.
export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("staff"))("title") };
}

async function PersonPage({ params }: { params: Promise<{ id: string }> }) {
  const desk = await requireDesk();
  if (!desk.permissions.includes("staff:manage")) return <ForbiddenView screen="staff" permission="staff:manage" />;
  const { id } = await params;
  const [person, t] = await Promise.all([getPerson(id), getTranslations("staff")]);
  if (!person) notFound();
  const { row, denials, openSessions, isLinkShown } = person;
  const place = { tenant: desk.tenant.name, rolesWithFactor: rolesWithFactor() };
  return (
    <ClientMessages namespaces={["permissions", "roles", "roleWords", "staff"]}>
      <LiveRefresh topics={["staff"]} object={row.id} />
      <PageHeader title={row.name} parent={{ href: "/staff", label: t("title") }}>
        <PersonActions person={{ row, denials, openSessions, isLinkShown }} place={place} />
      </PageHeader>
      <RecordColumns aside={<History entries={person.history} />}>
        <RecordSection id="access" title={t("access")}>
          <Facts person={person} />
          <Notices person={person} />
        </RecordSection>
        <Held person={person} tenant={place.tenant} />
      </RecordColumns>
    </ClientMessages>
  );
}

export default screen(PersonPage);

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
        {isOffAndFine ? <span className="text-muted">{t("noFactorNeeded")}</span> : <SecondFactor row={row} />}
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

async function Held({ person: { row }, tenant }: { person: PersonView; tenant: string }) {
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
