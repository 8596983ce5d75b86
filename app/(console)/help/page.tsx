import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import Link from "next/link";
import { requireScope, screen } from "@/app/(console)/screen";
import { EmptyFilterView } from "@/components/layout/empty-view";
import { PageHeader } from "@/components/layout/page-header";
import { FilterBar } from "@/components/table/filter-bar";
import { FilterSearch } from "@/components/table/filter-search";
import { HelpFilter } from "@/lib/help/inputs";
import { listHelp } from "@/lib/help/queries";
import { sectionsFor } from "@/lib/help/view";

const PATH = "/help";
const WORDS = String.raw`(?=.*\p{L})(?!.*\d{6}).{1,120}`;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("help"))("title") };
}

type Listed = ReturnType<typeof listHelp>[number];

function PageLink({ page: { name, title, lead } }: { page: Listed }) {
  return (
    <li>
      <Link href={`${PATH}/${name}`} prefetch={false} className="block px-5 py-2 hover:bg-hover">
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-muted">{lead}</span>
      </Link>
    </li>
  );
}

async function HelpIndex({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const scope = await requireScope();
  const { search } = HelpFilter.parse(await searchParams);
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  const pages = listHelp(locale, search ?? "");
  const { roles } = scope.person;
  const sections = sectionsFor(roles).flatMap(({ section, names }) => {
    const own = names.flatMap((name) => pages.filter((page) => page.name === name));
    return own.length === 0 ? [] : [{ section, own }];
  });
  return (
    <>
      <PageHeader title={t("help.title")} lead={t("help.lead")} />
      <FilterBar
        path={PATH}
        params={{}}
        isFiltered={search !== undefined}
        words={{ apply: t("help.search"), clear: t("help.clear") }}
        first={
          <FilterSearch value={search} label={t("help.searchLabel")} hint={t("help.searchHint")} pattern={WORDS} />
        }
      />
      {sections.length === 0 ? <EmptyFilterView icon="file-text" href={PATH} body={t("help.noneBody")} /> : null}
      <div className="gap-x-6 py-2 @wide:columns-2">
        {sections.map(({ section, own }) => (
          <section key={section} aria-labelledby={`of-${section}`} className="break-inside-avoid pb-4">
            <h2 id={`of-${section}`} className="px-5 pt-3 pb-1 text-sm font-medium text-muted">
              {section === "everybody" || section === "states" || section === "customer"
                ? t(`help.sections.${section}`)
                : t(roles.includes(section) ? "help.yours" : "help.of", { role: t(`roles.${section}`) })}
            </h2>
            <ul>
              {own.map((page) => (
                <PageLink key={page.name} page={page} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

export default screen("app/(console)/help/page", HelpIndex);
