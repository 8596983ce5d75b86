import { getTranslations } from "next-intl/server";
import Link from "next/link";
import { EmptyView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { buttonClass } from "@/components/ui/button";
import { type Permission, rolesWith } from "@/lib/permission/permission";
import { noteRefusedScreen } from "@/lib/auth/queries";
import { type GuardedScreen, permissionFor } from "./shell/screens";

export async function deniedReason(granted: readonly Permission[], permission: Permission): Promise<string | null> {
  if (granted.includes(permission)) return null;
  const t = await getTranslations();
  const roles = rolesWith(permission).map((role) => t(`roles.${role}`));
  return t("common.notAllowed", { roles: roles.join(", ") });
}

/** One line for a section of masked values, instead of a disabled button at each. */
export async function WhoMayReveal() {
  const t = await getTranslations();
  const roles = rolesWith("pii:reveal").map((role) => t(`roles.${role}`));
  return <p className="px-5 pb-2 text-sm text-muted">{t("privacy.onlyMay", { roles: roles.join(", ") })}</p>;
}

/** Audits the attempt. */
export async function ForbiddenView({ screen }: { screen: GuardedScreen }) {
  const t = await getTranslations();
  const permission = permissionFor(screen);
  await noteRefusedScreen(permission);
  const roles = rolesWith(permission).map((role) => t(`roles.${role}`));
  return (
    <>
      <PageHeader title={t(`${screen}.title`)} />
      <div className="border-t border-line">
        <EmptyView
          icon="lock"
          title={t("absent.forbiddenTitle")}
          body={t("absent.forbiddenBody", { roles: roles.join(", ") })}
        >
          <Link href="/" prefetch={false} className={buttonClass("plain")}>
            {t("absent.goHome")}
          </Link>
        </EmptyView>
      </div>
    </>
  );
}
