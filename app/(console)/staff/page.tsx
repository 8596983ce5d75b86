import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireScope, screen } from "@/app/(console)/screen";
import { ForbiddenView } from "@/app/(console)/permission-denied";
import { rolesWithFactor, listStaff } from "@/lib/staff/queries";
import { StaffFilter } from "@/lib/staff/inputs";
import { StaffScreen } from "./staff-screen";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("staff"))("title") };
}

async function StaffPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  if (!scope.permissions.includes("staff:manage")) return <ForbiddenView screen="staff" />;
  const filter = StaffFilter.parse(await searchParams);
  return (
    <StaffScreen
      initial={await listStaff()}
      filter={filter}
      staffScope={{ tenant: scope.tenant.name, rolesWithFactor: rolesWithFactor() }}
    />
  );
}

export default screen("app/(console)/staff/page", StaffPage);
