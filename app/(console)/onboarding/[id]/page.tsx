import { NotFoundView } from "@/components/table/empty-view";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { ObjectCalls } from "@/app/(console)/calls/object-calls";
import { Notes } from "@/app/(console)/casework/notes";
import { denialOf } from "@/app/(console)/denial";
import { requireDesk } from "@/app/(console)/desk";
import { Looks } from "@/app/(console)/privacy/looks";
import { Created } from "@/app/(console)/onboarding/new/created";
import { screen } from "@/app/(console)/screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { LiveRefresh } from "@/components/live/live-refresh";
import { PageHeader } from "@/components/layout/page-header";
import { RecordColumns, RecordSection } from "@/components/layout/record-columns";
import { Notice } from "@/components/ui/notice";
import { formatTime } from "@/lib/text/format";
import { addOnboardingNote, retractOnboardingNote } from "@/lib/onboarding/actions";
import { getOnboarding, type OnboardingRecordView } from "@/lib/onboarding/queries";
import { Attempts } from "./attempts";
import { BiometricLink } from "./biometric-link";
import { CheckButton } from "./check-button";
import { Details } from "./holder";
import { Diagnostics } from "./holder";
import { Holder } from "./holder";
import { Progress } from "./holder";
import { Related } from "./holder";
import { Timeline } from "./timeline";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("onboarding"))("one") };
}

type OnboardingPageProps = {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, unknown>>;
};

async function OnboardingRecordPage({ params, searchParams }: OnboardingPageProps) {
  const { id } = await params;
  const { known, created } = await searchParams;
  const [desk, record, t, locale] = await Promise.all([
    requireDesk(),
    getOnboarding(id),
    getTranslations(),
    getLocale(),
  ]);
  if (!record) return <NotFoundView />;
  const [revealDenial, followDenial, createDenial] = await Promise.all([
    denialOf(desk.permissions, "pii:reveal"),
    denialOf(desk.permissions, "onboarding:follow"),
    denialOf(desk.permissions, "onboarding:create"),
  ]);
  const { row } = record;
  return (
    <ClientMessages namespaces={["onboarding", "onboardingRecord", "privacy"]}>
      <LiveRefresh topics={["onboarding"]} object={row.id} />
      <PageHeader title={row.document} parent={{ href: "/onboarding", label: t("shell.onboarding") }}>
        <span className="text-sm text-muted tabular-nums max-desk:hidden">
          {t("onboarding.checked", { time: formatTime(row.checkedAt, locale) })}
        </span>
        <CheckButton key={row.id} id={row.id} />
      </PageHeader>
      {created === "yes" ? <Created /> : null}
      {known === "yes" ? (
        <Notice tone="info" className="mx-5 mb-3">
          {t("onboarding.alreadyFollowed")}
        </Notice>
      ) : null}
      <RecordColumns
        aside={
          <>
            <Details record={record} denial={revealDenial} />
            <Attempts key={row.id} record={record} denial={followDenial} />
            <Related record={record} />
            <Diagnostics record={record} />
            <ObjectCalls kind="onboarding" id={row.id} />
            <Looks kind="onboarding" id={row.id} />
          </>
        }
      >
        <Progress record={record} denial={createDenial} />
        <Holder key={row.id} record={record} denial={followDenial} />
        <BiometricLink key={row.id} record={record} denial={followDenial} />
        <TeamNotes record={record} denial={followDenial} />
        <Timeline events={record.events} />
      </RecordColumns>
    </ClientMessages>
  );
}

async function TeamNotes({ record, denial }: { record: OnboardingRecordView; denial: string | null }) {
  const t = await getTranslations("casework");
  const { row, notes } = record;
  if (!notes.isReadable) {
    return (
      <RecordSection id="notes" title={t("notes")}>
        <p className="border-y border-line px-5 py-3 text-muted">{t("hidden", { count: notes.count })}</p>
      </RecordSection>
    );
  }
  return (
    <Notes
      id={row.id}
      notes={notes.notes}
      denial={denial}
      held={null}
      add={addOnboardingNote}
      retract={retractOnboardingNote}
    />
  );
}

export default screen(OnboardingRecordPage);
