import { ClientMessages } from "@/app/client-messages";
import { getEntrance, getScope } from "@/lib/auth/queries";
import { listDemoSignIns } from "@/lib/staff/queries";
import { SignInAgain } from "./shell/sign-in-again";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { Announcer } from "@/components/layout/announcer";
import { ScopeGuard } from "@/components/session/scope-guard";
import { ProgressLine } from "@/components/layout/progress-line";
import { LiveProvider } from "@/components/live/live-provider";
import { StepUp } from "@/components/session/step-up";
import { askPasskey, proveSelf } from "@/lib/security/actions";
import type { Permission } from "@/lib/permission/permission";
import { getShortcuts, getTheme } from "@/lib/preferences/queries";
import { getStanding } from "@/lib/calls/queries";
import { switchTenant } from "@/lib/staff/actions";
import { scopeOfTab } from "./screen";
import { ScreenTitles } from "./screen-titles";
import { isLabOpen } from "@/lib/lab/queries";
import { BEGINNINGS, SCREEN_NAMES, screenGroups } from "./shell/screens";
import { ListKeys } from "./shell/list-keys";
import { Searching } from "./shell/search";
import { SideColumn } from "./shell/side-column";
import { DemoBar, SilenceBar } from "./shell/provider-meter";
import { TopBar } from "./shell/top-bar";

/** Among the demo's people, only the tab's own. */
async function WayBack({ email }: { email: string }) {
  const { hasSingleSignOn } = await getEntrance();
  const demo = listDemoSignIns().filter((person) => person.email === email);
  return <SignInAgain email={email} demo={demo} hasSingleSignOn={hasSingleSignOn} />;
}

const CONTENT_ID = "content";

/** The title names the tenant when there are several. */
export async function generateMetadata(): Promise<Metadata> {
  const scope = await getScope();
  if (scope === null || scope.tenants.length === 1) return {};
  const product = `${scope.tenant.name} · Retaguarda`;
  return { title: { default: product, template: `%s · ${product}` } };
}

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const scope = await scopeOfTab();
  if (scope === null) {
    return (
      <ClientMessages of="app/(console)/layout">
        <ScopeGuard scope={null} session={null} switchTenant={switchTenant} signIn={null}>
          {null}
        </ScopeGuard>
      </ClientMessages>
    );
  }
  const [theme, shortcuts, standing, t] = await Promise.all([
    getTheme(),
    getShortcuts(),
    getStanding(),
    getTranslations("shell"),
  ]);
  const say = await getTranslations();
  const titles = new Map(SCREEN_NAMES.map((name) => [name, say(`${name}.title`)]));
  const isMine = ({ permission }: { permission: Permission | null }) =>
    permission === null || scope.permissions.includes(permission);
  const commands = [
    ...BEGINNINGS.filter(isMine).map(({ name, href }) => ({ name, href, isAction: true }) as const),
    ...screenGroups({ hasLab: isLabOpen() })
      .flatMap(({ screens }) => screens)
      .filter(isMine)
      .map(({ name, href }) => ({ name, href })),
  ];
  return (
    <ClientMessages of="app/(console)/layout">
      <ScopeGuard
        scope={{ id: scope.id, tenant: scope.tenant, person: { name: scope.person.name } }}
        session={scope.session}
        switchTenant={switchTenant}
        signIn={<WayBack email={scope.person.email} />}
      >
        <LiveProvider>
          <ProgressLine />
          <StepUp prove={proveSelf} askPasskey={askPasskey}>
            <ScreenTitles value={titles}>
              <Searching commands={commands}>
                <ListKeys isOn={shortcuts}>
                  <div data-shell className="wide:grid wide:grid-cols-[14.25rem_minmax(0,1fr)]">
                    <a
                      href={`#${CONTENT_ID}`}
                      className="absolute top-2 left-2 z-50 -translate-y-20 rounded print:hidden bg-accent px-3 py-1.5 text-accent-ink focus:translate-y-0"
                    >
                      {t("skipToContent")}
                    </a>
                    <TopBar tenant={scope.tenant} tenants={scope.tenants} standing={standing} />
                    <SideColumn scope={scope} theme={theme} standing={standing} />
                    <main
                      id={CONTENT_ID}
                      tabIndex={-1}
                      className="@container min-h-dvh min-w-0 border-line bg-surface outline-none wide:border-l"
                    >
                      <div className="print:hidden max-wide:hidden">
                        <SilenceBar initial={standing} />
                      </div>
                      <DemoBar initial={standing} />
                      <p className="hidden px-5 pt-3 text-sm print:block">{scope.tenant.name} · Retaguarda</p>
                      <Announcer>{children}</Announcer>
                    </main>
                  </div>
                </ListKeys>
              </Searching>
            </ScreenTitles>
          </StepUp>
        </LiveProvider>
      </ScopeGuard>
    </ClientMessages>
  );
}
