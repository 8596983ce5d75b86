"use client";

import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { createContext, type Dispatch, type ReactNode, type SetStateAction, use, useId, useState } from "react";
import { Elsewhere } from "@/app/(console)/accounts/look-up-form";
import { SaveView } from "@/app/(console)/saved-views/save-view";
import { useSeek } from "@/components/session/use-seek";
import { FilterBar } from "@/components/table/filter-bar";
import { FilterChip, SeekBox, SeekNote } from "@/components/table/seek-box";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { findOnboarding } from "@/lib/onboarding/actions";
import type { OnboardingQueue } from "@/lib/onboarding/queries";
import { PLAIN_HREF, type QueueFilter, onboardingQueueHref, onboardingQueueSearch } from "@/lib/onboarding/view";
import { ACTORS } from "@/lib/db/enums/onboarding";
import { formatCount } from "@/lib/text/format";
import { countKnown, type Fresh, hrefWith, QUERY_MAX } from "@/lib/text/page";
import type { SavedView } from "@/lib/preferences/queries";
import { addressedOrder, QueueFilters } from "./queue-filters";

type Sought = { typed: string; note: string | null; asked: string | null; restored: string | null };

const NOTHING: Sought = { typed: "", note: null, asked: null, restored: null };

const SoughtText = createContext<[Sought, Dispatch<SetStateAction<Sought>>]>([NOTHING, () => undefined]);

/** Keeps what was sought, and what was said of it, while another filter draws the queue anew. */
export function SoughtAbove({ children }: { children: ReactNode }) {
  return <SoughtText value={useState(NOTHING)}>{children}</SoughtText>;
}

/** Only our own id appears in the URL. */
function QueueSearch({ filter }: { filter: QueueFilter }) {
  const t = useTranslations("onboarding");
  const router = useRouter();
  const id = useId();
  const [sought, setSought] = use(SoughtText);
  const { typed, note: problem, asked, restored } = sought;
  const { pending, seek: ask } = useSeek(findOnboarding, typed);
  const say = (changes: Partial<Sought>) => setSought((before) => ({ ...before, ...changes }));

  const sayNone = (note: string, isElsewhere: boolean) => {
    say({ note, asked: isElsewhere ? typed.trim() : null });
    if (filter.person !== undefined) router.push(onboardingQueueHref(filter, { person: undefined }), { scroll: false });
  };
  const seek = () => {
    if (typed.trim() === "") return say({ note: t("searchEmpty") });
    say({ note: null, asked: null });
    ask(
      { query: typed },
      ({ id: found, people, restored: document = null }) => {
        if (found === null)
          return sayNone(people === 0 ? t("searchNobody") : t("searchSeveral", { count: people }), people === 0);
        setSought({ ...NOTHING, restored: document });
        router.push(hrefWith("/onboarding", { status: "all", person: found }), { scroll: false });
      },
      (failed) => sayNone(failed.fields?.["query"] ?? failed.message, true),
    );
  };
  return (
    <SeekBox
      label={t("search")}
      title={t("searchHint")}
      typed={typed}
      problemId={problem === null ? null : id}
      aria-busy={pending}
      maxLength={QUERY_MAX}
      onType={(text) => setSought({ ...NOTHING, typed: text })}
      onSeek={seek}
      onLeave={() => say({ asked: null, restored: null })}
    >
      <SeekNote
        id={id}
        isShown={problem !== null}
        restored={restored === null || typed !== "" ? null : { document: restored }}
      >
        <Elsewhere asked={asked} own="onboarding" problem={problem} />
      </SeekNote>
    </SeekBox>
  );
}

type QueueToolbarProps = {
  filter: QueueFilter;
  acts: OnboardingQueue["acts"];
  fresh: Fresh;
  person: string | null;
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

export function QueueToolbar({ filter, acts, fresh, person, saved, onSaid }: QueueToolbarProps) {
  const t = useTranslations("onboarding");
  const { status, stage, kind, age, returns, sort, dir } = filter;
  const chosen = [stage, kind, age, returns];
  return (
    <FilterBar
      path="/onboarding"
      params={{ status, acts: filter.acts, person: filter.person, sort, dir }}
      cleared={{ status, person: filter.person, sort, dir }}
      isFiltered={[filter.acts, ...chosen].some(Boolean)}
      words={{ apply: t("apply"), clear: t("clear") }}
      chosen={chosen}
      addressed={addressedOrder}
      before={
        <div className="filters-first">
          <WhoChoices filter={filter} acts={acts} fresh={fresh} />
          <QueueSearch filter={filter} />
        </div>
      }
      more={<QueueFilters filter={filter} />}
      beside={
        <>
          {person === null || person === "" ? null : (
            <FilterChip
              href={onboardingQueueHref(filter, { person: undefined })}
              text={t("personFilter", { document: person })}
              clear={t("personClear")}
            />
          )}
          <SaveView
            area="onboarding"
            search={onboardingQueueSearch(filter)}
            plainHref={PLAIN_HREF}
            saved={saved}
            onSaid={onSaid}
          />
        </>
      }
    />
  );
}

function WhoChoices({ filter, acts, fresh }: Pick<QueueToolbarProps, "filter" | "acts" | "fresh">) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  const shown = ACTORS.filter((who) => who !== "nobody" || acts.nobody > 0 || filter.acts === "nobody");
  const choices = [
    {
      href: onboardingQueueHref(filter, { acts: undefined }),
      label: t("everyone"),
      isCurrent: filter.acts === undefined,
    },
    ...shown.map((who) => ({
      href: onboardingQueueHref(filter, { acts: who }),
      label: t(`acts.${who}`),
      count: countKnown(formatCount(acts[who], locale), acts[who], fresh),
      isCurrent: filter.acts === who,
    })),
  ];
  return (
    <div className="edge-fade flex max-w-full min-w-0 items-center gap-2 overflow-x-auto [scrollbar-width:none]">
      <span aria-hidden className="text-sm whitespace-nowrap text-muted">
        {t("columns.acts")}
      </span>
      <ChoiceLinks label={t("filterActs")} choices={choices} />
    </div>
  );
}
