import { useTranslations } from "next-intl";
import Link from "next/link";
import { RecordSection } from "@/components/layout/record-columns";
import { OPEN_STATES, type SuspicionRow } from "@/lib/suspicions/view";
import { RaiseButton } from "./raise-button";
import { SuspicionDue, SuspicionStatus } from "./suspicion-words";

export function CaseSuspicions({ kycUUID, suspicions }: { kycUUID: string; suspicions: SuspicionRow[] }) {
  const t = useTranslations("suspicions");
  const isOpen = suspicions.some(({ state }) => OPEN_STATES.includes(state));
  return (
    <RecordSection
      id="suspicions"
      title={t("ofCase")}
      empty={suspicions.length === 0 ? t("noneOfCase") : null}
      action={isOpen ? undefined : <RaiseButton kycUUID={kycUUID} />}
    >
      <ul className="divide-y divide-line border-y border-line">
        {suspicions.map((row) => (
          <li key={row.id} className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2 hover:bg-hover">
            <Link href={`/suspicions/${row.id}`} prefetch={false} className="row-link font-medium">
              <SuspicionStatus state={row.state} />
            </Link>
            <span className="text-sm text-muted">{t("raisedBy", { name: row.raisedBy })}</span>
            <span className="ml-auto">
              <SuspicionDue row={row} />
            </span>
          </li>
        ))}
      </ul>
      <p className="px-5 py-2 text-sm text-muted">{t("secret")}</p>
    </RecordSection>
  );
}
