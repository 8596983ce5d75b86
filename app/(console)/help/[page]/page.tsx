import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { HelpText } from "@/app/(console)/help/help-text";
import { deniedReason } from "@/app/(console)/permission-denied";
import { requireScope, screen } from "@/app/(console)/screen";
import { SCREEN_NAMES } from "@/app/(console)/shell/screens";
import { NotFoundView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { PermittedLink } from "@/components/ui/permitted-link";
import { getHelp } from "@/lib/help/queries";
import { pathOf, screenOf } from "@/lib/help/view";
import { PAGES } from "@/lib/permission/access";
import { PERMISSIONS, type Permission } from "@/lib/permission/permission";

type Props = { params: Promise<{ page: string }> };

async function pageOf(params: Props["params"]) {
  const [{ page }, locale] = await Promise.all([params, getLocale()]);
  return getHelp(locale, page);
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [page, t] = await Promise.all([pageOf(params), getTranslations("help")]);
  return { title: page?.title ?? t("title") };
}

async function denialAt(path: string, granted: readonly Permission[]): Promise<string | null> {
  const needed = PERMISSIONS.find((permission) => permission === PAGES[path]);
  return needed === undefined ? null : deniedReason(granted, needed);
}

async function OpenScreen({ path }: { path: string }) {
  const [scope, t] = await Promise.all([requireScope(), getTranslations()]);
  const href = screenOf(path);
  const first = href.split("/")[1] || "home";
  const name = SCREEN_NAMES.find((one) => one === first);
  return (
    <PermittedLink href={href} denial={await denialAt(href, scope.permissions)} isPrimary>
      {t("help.open", { screen: t(name === undefined ? "security.title" : `${name}.title`) })}
    </PermittedLink>
  );
}

async function HelpScreen({ params }: Props) {
  const [page, t] = await Promise.all([pageOf(params), getTranslations("help")]);
  if (page === null) return <NotFoundView />;
  const path = pathOf(page.name);
  return (
    <>
      <PageHeader title={page.title} parent={{ href: "/help", label: t("title") }}>
        {path === null ? null : <OpenScreen path={path} />}
      </PageHeader>
      <div className="border-t border-line px-5 py-4">
        <article className="max-w-3xl">
          <p className="pb-3 text-muted">{page.lead}</p>
          <HelpText>{page.body}</HelpText>
        </article>
      </div>
    </>
  );
}

export default screen("app/(console)/help/[page]/page", HelpScreen);
