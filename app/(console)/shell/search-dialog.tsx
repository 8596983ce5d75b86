"use client";

import { useTranslations } from "next-intl";
import {
  type KeyboardEvent,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { hintOf, Hit, useSearchAnswer } from "@/app/(console)/accounts/look-up-form";
import { ScreenTitles } from "@/app/(console)/screen-titles";
import { useSeek } from "@/components/session/use-seek";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { keyOf } from "@/components/ui/keys";
import { deferred } from "@/components/layout/deferred";
import { Dialog } from "@/components/ui/dialog";
import { lookUpAccount } from "@/lib/accounts/actions";
import { type FoundRecord, foundHref } from "@/lib/accounts/view";
import { SEARCH_GROUPS, type SearchAnswer, type SearchGroup, type SearchHit } from "@/lib/search/view";
import { hrefWith, QUERY_MAX } from "@/lib/text/page";
import { folded } from "@/lib/text/typed";
import { inOrder } from "./search-order";
import type { BEGINNINGS, ScreenName } from "./screens";

/** A screen to open, or an action to start. */
export type SearchCommand = {
  name: ScreenName | (typeof BEGINNINGS)[number]["name"];
  href: string;
  isAction?: true;
};

const SCREEN_OF: Record<SearchGroup, ScreenName> = {
  accounts: "accounts",
  onboarding: "onboarding",
  kyc: "kyc",
  transfers: "transfers",
  entries: "movements",
  wallets: "wallets",
  approvals: "approvals",
  deliveries: "webhooks",
  calls: "calls",
  help: "help",
};

/** Waits this long after the last key before searching. */
const PAUSE_MS = 200;

/** The text once the person pauses. */
function usePaused(typed: string): string {
  const [paused, setPaused] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return paused;
}

function useHits(typed: string) {
  const { data, ...query } = useSearchAnswer(usePaused(typed.trim()));
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return { ...query, data: data ?? last };
}

/** Words only narrow an answer down; one more digit makes another person. */
const answersStill = (asked: string, typed: string) =>
  asked === typed || (asked !== "" && typed.startsWith(asked) && !/\p{N}/u.test(typed));

/** `isSure`: it answers the current text. */
type Option = { id: string; choose: () => void; content: ReactNode; isSure?: boolean };
type Section = { name: string; options: Option[] };

const PixKeyDialog = deferred(() =>
  import("@/app/(console)/transfers/pix-key-dialog").then((loaded) => loaded.PixKeyDialog),
);

type SearchDialogProps = {
  commands: readonly SearchCommand[];
  /** What was typed before the dialog opened. */
  begun: { text: string; isEntered: boolean };
  /** Closes the dialog and opens a screen. */
  onGo: (href: string) => void;
  onClose: () => void;
};

/** Finds records and opens them. The text is posted, so no document or PIX key appears in a URL. */
export function SearchDialog(props: SearchDialogProps) {
  const [pixKey, setPixKey] = useState<string | null>(null);
  if (pixKey !== null) return <PixKeyDialog typed={pixKey} onClose={props.onClose} />;
  return <Searching {...props} onPixKey={setPixKey} />;
}

/** A document completed with leading zeros opens only after the person has seen that. */
type RestoredRecord = { of: string; found: FoundRecord; document: string };

const commandOption = ({ href, label }: { href: string; label: string }, go: (href: string) => void): Option => ({
  id: `go ${href}`,
  isSure: true,
  choose: () => go(href),
  content: <span className="flex-1 truncate">{label}</span>,
});

type SearchingProps = SearchDialogProps & { onPixKey: (key: string) => void };

function Searching({ commands, begun, onGo: go, onClose, onPixKey }: SearchingProps) {
  const t = useTranslations("search");
  const say = useTranslations();
  const titles = use(ScreenTitles);
  const listId = useId();
  const [typed, setTyped] = useState(begun.text);
  const [position, setPosition] = useState(0);
  // Enter was pressed before the answer arrived.
  const isEager = useRef(begun.isEntered);
  const { data, error, isFetching } = useHits(typed);
  const provider = useSeek(lookUpAccount, typed);
  const [restored, setRestored] = useState<RestoredRecord | null>(null);
  const wanted = folded(useDeferredValue(typed.trim()));
  // The options of an earlier text stand until they are drawn anew.
  const isDrawn = wanted === folded(typed.trim());
  const isCurrent = isDrawn && data !== undefined && data.asked === typed.trim();
  const answer = data?.answer ?? null;

  const hitOption = (hit: SearchHit): Option => ({
    id: `${hit.group} ${hit.href}`,
    choose: () => go(hit.href),
    content: <Hit hit={hit} />,
  });
  const hits = data !== undefined && answersStill(data.asked, typed.trim()) ? data.answer.hits : [];
  const sectionOf = (group: SearchGroup): Section => ({
    name: titles?.get(SCREEN_OF[group]) ?? group,
    options: hits.filter((hit) => hit.group === group).map(hitOption),
  });
  const isTyped = wanted !== "";
  const fitting = commands
    .map(({ name, href, isAction = false }) => ({ href, label: say(`${name}.title`), isAction }))
    .filter(({ label, isAction }) => (wanted === "" ? isAction : folded(label).includes(wanted)));
  const askProvider = () =>
    provider.seek({ query: typed.trim(), isEntryToo: true }, (found) => {
      // Closes at once, outside the transition that waits for the page.
      if (found.restored === undefined) queueMicrotask(() => go(foundHref(found)));
      else setRestored({ of: typed, found, document: found.restored });
    });
  const commandsOf = (isOne: boolean): Section => ({
    name: t(isOne ? "actions" : "commands"),
    options: fitting.filter(({ isAction }) => isAction === isOne).map((command) => commandOption(command, go)),
  });
  const asks: Section = {
    name: t("provider"),
    options:
      restored?.of === typed
        ? [asking("restored", () => go(foundHref(restored.found)), t("restored", { document: restored.document }))]
        : isCurrent
          ? askOptions(t, answer, {
              askProvider,
              askPixKey: () => onPixKey(typed.trim()),
              askPaid: () => go(hrefWith("/paid", { asked: typed.trim() })),
            })
          : [],
  };
  const sections = inOrder<Section>({
    recent: isTyped ? [] : [{ name: t("recent"), options: hits.map(hitOption) }],
    actions: [commandsOf(true)],
    screens: [commandsOf(false)],
    records: isTyped ? SEARCH_GROUPS.filter((group) => group !== "help").map(sectionOf) : [],
    asks: [asks],
    help: isTyped ? [sectionOf("help")] : [],
  }).filter(({ options }) => options.length > 0);
  const options = sections.flatMap((section) => section.options);
  const active = options[Math.min(position, options.length - 1)];

  const isSeveral = answer?.shape === "mask" || answer?.restored !== null || hits[0]?.isPerhaps === true;
  const chooseIfEager = useEffectEvent(() => {
    if (isEager.current && !isSeveral) active?.choose();
    isEager.current = false;
  });
  useEffect(() => {
    if (isCurrent) chooseIfEager();
  }, [isCurrent]);

  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[keyOf(event)];
    if (step !== undefined) {
      event.preventDefault();
      setPosition((before) => Math.min(Math.max(Math.min(before, options.length - 1) + step, 0), options.length - 1));
    } else if (keyOf(event) === "Enter") {
      event.preventDefault();
      if (isCurrent || (isDrawn && active?.isSure === true)) active?.choose();
      else isEager.current = true;
    }
  };
  const standing = provider.pending
    ? t("asking")
    : (provider.failure?.message ??
      error?.message ??
      (isCurrent && (hits.length > 0 || fitting.length === 0) ? standingOf(t, answer, wanted) : null));
  return (
    <Dialog title={t("title")} description={t("lead")} closeLabel={t("close")} onClose={onClose}>
      <div className="px-5 pb-3">
        <input
          type="text"
          role="combobox"
          aria-label={t("label")}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active === undefined ? undefined : `${listId}-${active.id}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={QUERY_MAX}
          placeholder={t("placeholder")}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setPosition(0);
            isEager.current = false;
          }}
          onKeyDown={press}
          className={cn(INPUT_CLASS, "h-10")}
        />
        <output
          className={cn(
            "block pt-2 text-sm text-muted",
            standing === null && "sr-only",
            error !== null && "text-negative",
          )}
        >
          {standing ?? (isFetching ? t("searching") : "")}
        </output>
      </div>
      <Results {...{ sections, active, listId, isFetching }} />
    </Dialog>
  );
}

type ResultsProps = { sections: readonly Section[]; active: Option | undefined; listId: string; isFetching: boolean };

function Results({ sections, active, listId, isFetching }: ResultsProps) {
  const t = useTranslations("search");
  return (
    <div
      id={listId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be typed into
      role="listbox"
      aria-label={t("results")}
      aria-busy={isFetching}
      hidden={sections.length === 0}
      className="min-h-0 overflow-y-auto border-t border-line py-1.5"
    >
      {sections.map((section) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is no part of a listbox
        <div key={section.name} role="group" aria-label={section.name}>
          <p aria-hidden className="px-5 pt-2.5 pb-1 text-xs font-medium text-faint">
            {section.name}
          </p>
          {section.options.map((option) => (
            <button
              key={option.id}
              id={`${listId}-${option.id}`}
              type="button"
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option holds no columns
              role="option"
              tabIndex={-1}
              aria-selected={option === active}
              // Keeps the focus in the input.
              onPointerDown={(event) => event.preventDefault()}
              onClick={option.choose}
              className={cn(
                "flex w-full cursor-pointer items-center gap-3 px-5 py-2 text-start hover:bg-hover",
                option === active && "bg-hover",
              )}
            >
              {option.content}
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}

const asking = (id: string, choose: () => void, text: string): Option => ({
  id,
  choose,
  content: <span className="flex-1">{text}</span>,
});

type Asks = { askProvider: () => void; askPixKey: () => void; askPaid: () => void };

function askOptions(
  t: ReturnType<typeof useTranslations<"search">>,
  answer: SearchAnswer | null,
  { askProvider, askPixKey, askPaid }: Asks,
): Option[] {
  return [
    ...(answer?.canAskProvider === true ? [asking("provider", askProvider, t("askProvider"))] : []),
    ...(answer?.canAskPaid === true ? [asking("paid", askPaid, t("askPaid"))] : []),
    ...(answer?.canAskPixKey === true ? [asking("pix-key", askPixKey, t("askPixKey"))] : []),
  ];
}

function standingOf(
  t: ReturnType<typeof useTranslations<"search">>,
  answer: SearchAnswer | null,
  wanted: string,
): string | null {
  if (answer === null || wanted === "") return null;
  const { shape, more, restored } = answer;
  const hits = answer.hits.filter(({ group }) => group !== "help");
  const pages = answer.hits.length - hits.length;
  if (pages > 0 && hits.length === 0) return t("pages", { count: pages });
  const hint = hintOf(t, answer, wanted);
  if (shape === null) return hint ?? t("noShape");
  if (hits.length === 0) return [t(`none.${shape}`), ...(hint === null ? [] : [hint])].join(" ");
  if (shape === "mask") return t("sameMask");
  if (restored !== null) return t("restored", { document: restored });
  return more.length > 0 ? t("more") : t("found", { count: hits.length });
}
