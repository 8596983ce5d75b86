import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { type Column, type Columns, TableFrame, TableRow } from "@/components/table/data-table";
import { can, permissionsOf, type Permission, type Role, ROLES } from "@/lib/permission/permission";
import { cn } from "@/components/ui/cn";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Fragment } from "react";
import { requireScope, screen } from "@/app/(console)/screen";
import { PageHeader } from "@/components/layout/page-header";

const GROUPS = ["customers", "kyc", "money", "approvals", "system"] as const;
type Group = (typeof GROUPS)[number];

/** A permission without a group does not compile. */
const GROUP_OF: Record<Permission, Group> = {
  "onboarding:read": "customers",
  "onboarding:create": "customers",
  "onboarding:follow": "customers",
  "accounts:read": "customers",
  "accounts:close": "customers",
  "accounts:note": "customers",
  "statement:export": "customers",
  "pii:reveal": "customers",
  "kyc:read": "kyc",
  "kyc:start": "kyc",
  "kyc:decide": "kyc",
  "kyc:assign": "kyc",
  "kyc:note": "kyc",
  "suspicions:handle": "kyc",
  "dossiers:export": "kyc",
  "transfers:read": "money",
  "transfers:create": "money",
  "wallets:read": "money",
  "wallets:create": "money",
  "wallets:label": "money",
  "position:rate": "money",
  "deposits:ask": "money",
  "crypto-transfers:create": "money",
  "approvals:read": "approvals",
  "approvals:authorize": "approvals",
  "outcomes:end": "approvals",
  "webhooks:read": "system",
  "explorer:use": "system",
  "webhooks:replay": "system",
  "settings:manage": "system",
  "staff:manage": "system",
  "audit:read": "system",
  "audit:export": "system",
  "health:read": "system",
};

const STAYS = "sticky start-0 z-1";

const permissionsIn = (group: Group) => permissionsOf(ROLES).filter((permission) => GROUP_OF[permission] === group);

function RoleMatrix({ held }: { held: readonly Role[] }) {
  const t = useTranslations();
  const nameOf = (role: Role) =>
    held.includes(role) ? t("staff.matrixYours", { role: t(`roles.${role}`) }) : t(`roles.${role}`);
  const columnOf = (role: Role): Column<Permission> => ({
    header: nameOf(role),
    width: held.includes(role) ? "status" : "action",
    td: cn(held.includes(role) && "bg-accent-tint"),
    cell: (permission) => <May isGranted={can([role], permission)} />,
  });
  const columns: Columns<Permission> = {
    permission: {
      header: t("staff.matrixPermission"),
      width: "date",
      th: STAYS,
      td: cn(STAYS, "bg-surface py-1.5 whitespace-normal!"),
      cell: (permission) => t(`permissions.${permission}`),
    },
    ...Object.fromEntries(ROLES.map((role) => [role, columnOf(role)])),
  };
  return (
    <TableFrame label={t("staff.matrixTitle")} columns={columns} narrow="scroll">
      {GROUPS.map((group) => (
        <Fragment key={group}>
          <tr>
            <th scope="rowgroup" colSpan={1 + ROLES.length} className="bg-canvas! font-medium text-muted!">
              {t(`staff.groups.${group}`)}
            </th>
          </tr>
          {permissionsIn(group).map((permission) => (
            <TableRow key={permission} columns={columns} row={permission} />
          ))}
        </Fragment>
      ))}
    </TableFrame>
  );
}

function May({ isGranted }: { isGranted: boolean }) {
  const t = useTranslations("staff");
  if (!isGranted) {
    return (
      <>
        <span aria-hidden className="text-faint">
          ·
        </span>
        <span className="sr-only">{t("mayNot")}</span>
      </>
    );
  }
  return (
    <>
      <Icon of="check" size={15} className="text-positive" />
      <span className="sr-only">{t("may")}</span>
    </>
  );
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("staff"))("matrixTitle") };
}

/** Open to everybody signed in: roles are no secret among colleagues. */
async function RolesPage() {
  const [scope, t] = await Promise.all([requireScope(), getTranslations("staff")]);
  const parent = scope.permissions.includes("staff:manage") && { parent: { href: "/staff", label: t("title") } };
  return (
    <>
      <PageHeader title={t("matrixTitle")} lead={t("matrixLead")} {...parent} />
      <div className="border-t border-line">
        <RoleMatrix held={scope.person.roles} />
      </div>
    </>
  );
}

export default screen("app/(console)/staff/roles/page", RolesPage);
