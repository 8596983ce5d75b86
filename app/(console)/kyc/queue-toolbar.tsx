"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { use, useId, useState } from "react";
import { Elsewhere } from "@/app/(console)/accounts/look-up-form";
import { useSeek } from "@/components/session/use-seek";
import { deferred } from "@/components/layout/deferred";
import { FilterBar, Unfolded } from "@/components/table/filter-bar";
import { FilterChip, SeekBox, SeekNote } from "@/components/table/seek-box";
import { buttonClass } from "@/components/ui/button";
import { ChoiceLinks } from "@/components/ui/choice-links";
import { findCaseOfSameDocument } from "@/lib/kyc/actions";
import type { KycQueue } from "@/lib/kyc/queries";
import type { KycFilter } from "@/lib/kyc/inputs";
import {
  countText,
  queueFilterValues,
  KYC_STANDINGS,
  orderOf,
  sortOf,
  type SoughtCase,
  caseQueueHref,
  trimSearch,
} from "@/lib/kyc/view";
import { countKnown, type Fresh, hrefWith, SEARCH_MAX } from "@/lib/text/page";

const SOUGHT = ["search", "sameDocumentAs", "sameMaskAs"] as const;
const WHY_NONE = { document: "searchNobody", mask: "searchMask", search: "searchRefused" } as const;
const NOTHING_SOUGHT = { search: undefined, sameDocumentAs: undefined, sameMaskAs: undefined };

const isSought = (filter: KycFilter) => SOUGHT.some((name) => filter[name] !== undefined);

/** What is typed is posted; the URL then names a case, a tag or an id. */
function QueueSearch({ filter }: { filter: KycFilter }) {
  const t = useTranslations("kycQueue");
  const ofSearch = useTranslations("search");
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState(filter.search ?? "");
  const { pending, failure, seek: ask } = useSeek(findCaseOfSameDocument, typed);
  const [note, setNote] = useState<string | null>(null);
  const [restored, setRestored] = useState<string | null>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const [shown, setShown] = useState(filter.search);
  const problem = note ?? (asked === null ? null : (failure?.message ?? null));
  if (shown !== filter.search) {
    setShown(filter.search);
    // Keeps what was typed meanwhile.
    if (asked === null && typed === (shown ?? "")) setTyped(filter.search ?? "");
  }

  const show = (changes: Partial<Pick<KycFilter, "status" | (typeof SOUGHT)[number]>>) =>
    router.push(caseQueueHref(filter, { ...NOTHING_SOUGHT, ...changes }), { scroll: false });
  function whyNone({ by, restored: document }: SoughtCase): string {
    if (by === "several") return ofSearch("none.several");
    if (by === "mistyped") return ofSearch("none.slip");
    if (by === "document" && document !== undefined) return t("searchRestored", { document });
    return t(WHY_NONE[by]);
  }
  const seekPosted = (query: string) =>
    ask(
      { query },
      (sought) => {
        const { kycUUID, by } = sought;
        if (kycUUID === null) {
          setNote(whyNone(sought));
          setAsked(query);
          if (isSought(filter)) show({});
          return;
        }
        setTyped((now) => (trimSearch(now) === query ? "" : now));
        setRestored(sought.restored ?? null);
        if (by === "search") {
          setTyped(query);
          return show({ search: query });
        }
        // A document finds all its cases, including decided ones.
        show({ status: "all", ...(by === "mask" ? { sameMaskAs: kycUUID } : { sameDocumentAs: kycUUID }) });
      },
      () => setAsked(query),
    );
  const seek = () => {
    const search = trimSearch(typed);
    if (search !== "" && search !== filter.search) return seekPosted(search);
    setAsked(search);
    setTyped(search);
    if (search === "" && filter.search !== undefined) show({ search: undefined });
  };
  return (
    <SeekBox
      label={t("search")}
      typed={typed}
      problemId={problem === null ? null : id}
      aria-busy={pending}
      maxLength={SEARCH_MAX}
      onType={(text) => {
        setTyped(text);
        setNote(null);
        setRestored(null);
        setAsked(null);
      }}
      onSeek={seek}
      onLeave={() => {
        setRestored(null);
        setAsked(null);
      }}
    >
      <SeekNote
        id={id}
        isShown={problem !== null || asked !== null}
        restored={restored === null || typed !== "" ? null : { document: restored }}
      >
        <Elsewhere asked={asked} own="kyc" problem={problem} />
      </SeekNote>
    </SeekBox>
  );
}

type Typed = Record<string, string | undefined>;

/** An order is one choice of the form and two values of the address. */
export function addressedOrder({ ordering = "", ...typed }: Typed): Typed {
  const [sort, order] = ordering.split(" ");
  return { ...typed, sort, order };
}

const QueueFilters = deferred(() => import("./queue-filters").then((loaded) => loaded.QueueFilters));

/** Loaded once they are unfolded; until then what is filtered stays as it is. */
function LaterFilters({ filter }: { filter: KycFilter }) {
  const { assignee, due, type, process, age, tags, sort, order } = filter;
  const ordering = sort === undefined && order === undefined ? undefined : `${sortOf(filter)} ${orderOf(filter)}`;
  if (use(Unfolded)) return <QueueFilters filter={filter} />;
  return Object.entries({ assignee, due, type, process, age, tags: tags?.join(), ordering }).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value ?? ""} />
  ));
}

type QueueToolbarProps = {
  filter: KycFilter;
  counts: KycQueue["counts"];
  sameDocumentShown: KycQueue["sameDocumentShown"];
  fresh: Fresh;
  scope: string;
};

export function QueueToolbar({ filter, counts, sameDocumentShown, fresh, scope }: QueueToolbarProps) {
  const t = useTranslations("kyc");
  const queue = useTranslations("kycQueue");
  const locale = useLocale();
  const { view, status, assignee, due, type, process, age, tags, sort, order } = filter;
  const { search, sameDocumentAs, sameMaskAs } = filter;
  const chosen = [assignee, due, type, process, age, tags?.join()];
  const statuses = KYC_STANDINGS.map((one) => ({
    href: caseQueueHref(filter, { status: one }),
    label: t(`filters.${one}`),
    count: countKnown(countText(counts[one], locale), counts[one].cases, fresh),
    isCurrent: one === status,
  }));
  return (
    <FilterBar
      path="/kyc"
      params={{ view, status, search, sameDocumentAs, sameMaskAs, sort, order }}
      cleared={{ view, status }}
      isFiltered={chosen.some(Boolean) || isSought(filter)}
      words={{ apply: queue("apply"), clear: queue("clear") }}
      chosen={chosen}
      addressed={addressedOrder}
      before={
        <div className="filters-first">
          <div className="edge-fade max-w-full min-w-0 overflow-x-auto [scrollbar-width:none]">
            <ChoiceLinks label={t("filterStatus")} choices={statuses} />
          </div>
          <QueueSearch filter={filter} />
        </div>
      }
      more={<LaterFilters filter={filter} />}
      beside={
        <>
          {sameDocumentShown === null ? null : (
            <FilterChip
              href={caseQueueHref(filter, { sameDocumentAs: undefined, sameMaskAs: undefined })}
              text={queue(sameMaskAs === undefined ? "sameDocument" : "sameMask", { document: sameDocumentShown })}
              clear={queue("sameDocumentClear")}
            />
          )}
          <a
            href={hrefWith("/api/exports/kyc", { ...queueFilterValues(filter), scope })}
            download
            title={queue("exportHint")}
            aria-label={queue("export")}
            className={buttonClass("plain", "small")}
          >
            <Icon of="download" size={13} />
            CSV
          </a>
        </>
      }
    />
  );
}
