import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireDesk } from "@/app/(console)/desk";
import { screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";
import { RoleMatrix } from "./role-matrix";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("staff"))("matrixTitle") };
}

/** For everybody signed in: roles are no secret among colleagues. */
async function RolesPage() {
  const [desk, t] = await Promise.all([requireDesk(), getTranslations("staff")]);
  const parent = desk.permissions.includes("staff:manage") && { parent: { href: "/staff", label: t("title") } };
  return (
    <>
      <PageHeader title={t("matrixTitle")} lead={t("matrixLead")} {...parent} />
      <div className="border-t border-line">
        <RoleMatrix held={desk.person.roles} />
      </div>
    </>
  );
}

export default screen(RolesPage);
