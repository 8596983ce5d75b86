"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useScope, useUnsaved } from "@/components/session/scope";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Action } from "@/lib/action";
import type { ActionResult } from "@/lib/errors/result";
import {
  type Draft,
  type DraftAnswer,
  type DraftFields,
  type DraftOrder,
  DRAFT_PARAMETER,
  withoutSecrets,
} from "@/lib/drafts/view";
import { formatDateTime, formatTime } from "@/lib/text/format";
import { DiscardQuestion } from "./discard-question";

type DraftState =
  | "empty"
  | "saved"
  | "unsaved"
  | "failed"
  | "full"
  /** Another tab saved since: the person chooses. */
  | "other"
  /** Another tab sent or discarded it. */
  | "gone";

type StoredDraft = {
  draftId: string;
  /** Includes secrets, which are never saved. */
  values: DraftFields;
  state: DraftState;
  savedAt: string | null;
};

type DraftDeps = {
  send: (order: DraftOrder) => Promise<ActionResult<DraftAnswer>>;
  after: (ms: number, run: () => void) => () => void;
};

const SAVES_AFTER_MS = 1_200;
const TRIES_AGAIN_AFTER_MS = [5_000, 15_000] as const;
const TRIES_LATER_AFTER_MS = 60_000;

const nothing = () => {};
const stateOf = ({ fields }: Draft) => (fields === null ? "empty" : "saved");

export class DraftSaver {
  readonly #deps: DraftDeps;
  readonly #followers = new Set<() => void>();
  #stored: StoredDraft;
  #version: number;
  #other: Draft | null = null;
  #failures = 0;
  #isSaving = false;
  #hasEnded = false;
  #stopTimer = nothing;

  constructor(opened: Draft, deps: DraftDeps) {
    const { draftId, version, fields, savedAt } = opened;
    this.#deps = deps;
    this.#version = version;
    this.#stored = { draftId, values: fields ?? {}, state: stateOf(opened), savedAt };
  }

  readonly now = (): StoredDraft => this.#stored;

  readonly follow = (listener: () => void): (() => void) => {
    this.#followers.add(listener);
    return () => void this.#followers.delete(listener);
  };

  readonly set = (changed: DraftFields): void => {
    const { values } = this.#stored;
    // Leaving a field reports its value again.
    const isNew = Object.entries(changed).some(([name, typed]) => typed !== (values[name] ?? ""));
    if (isNew) this.#write({ ...values, ...changed });
  };

  readonly replace = (values: DraftFields): void => this.#write(values);

  readonly flush = (): void => void this.#save();

  readonly takeOther = (): void => {
    if (this.#other !== null) this.#take(this.#other);
  };

  readonly saveOwn = (): void => {
    if (this.#other === null) return;
    this.#adopt(this.#other);
    this.#show({ state: "unsaved" });
    void this.#save();
  };

  readonly discard = async (): Promise<boolean> => {
    this.#stopTimer();
    const discarded = await this.#deps.send({ do: "discard", draftId: this.#stored.draftId });
    if (discarded.ok) this.#take(discarded.data.draft);
    else this.#meetFailure();
    return discarded.ok;
  };

  /** Whether this tab has the same draft at the same or a newer version. */
  readonly knows = ({ draftId, version }: Draft): boolean =>
    !this.#hasEnded && (this.#stored.draftId !== draftId || this.#version >= version);

  readonly isDone = (): boolean => this.#hasEnded || this.#stored.state === "saved" || this.#stored.state === "empty";

  /** Saves, and drops secrets that are no longer visible. */
  readonly leave = (): void => {
    this.#stored = { ...this.#stored, values: withoutSecrets(this.#stored.values) };
    void this.#save();
  };

  readonly end = (): void => {
    this.#hasEnded = true;
    this.#stopTimer();
    this.#show({ state: "saved" });
  };

  #show(change: Partial<StoredDraft>): void {
    this.#stored = { ...this.#stored, ...change };
    for (const listener of this.#followers) listener();
  }

  #adopt({ draftId, version, savedAt }: Draft): void {
    this.#version = version;
    this.#other = null;
    this.#show({ draftId, savedAt });
  }

  #take(draft: Draft): void {
    this.#adopt(draft);
    this.#show({ values: draft.fields ?? {}, state: stateOf(draft) });
  }

  #saveIn(ms: number): void {
    this.#stopTimer();
    this.#stopTimer = this.#deps.after(ms, () => void this.#save());
  }

  #write(values: DraftFields): void {
    const { state } = this.#stored;
    if (this.#hasEnded || state === "other" || state === "gone") return this.#show({ values });
    this.#show({ values, state: "unsaved" });
    this.#saveIn(SAVES_AFTER_MS);
  }

  async #save(): Promise<void> {
    const { values, draftId, state } = this.#stored;
    const isPending = state === "unsaved" || state === "failed" || state === "full";
    if (this.#isSaving || this.#hasEnded || !isPending) return;
    this.#stopTimer();
    this.#isSaving = true;
    const order = { do: "save", draftId, version: this.#version, fields: withoutSecrets(values) } as const;
    const saved = await this.#deps.send(order);
    this.#isSaving = false;
    if (this.#hasEnded || this.#stored.draftId !== draftId) return;
    if (saved.ok) this.#meetAnswer(saved.data, values);
    else if (saved.error.kind === "not-found") await this.#meetGone();
    else this.#meetFailure(saved.error.kind === "conflict" ? "full" : "failed");
  }

  #meetAnswer({ draft, isOther }: DraftAnswer, sent: DraftFields): void {
    this.#failures = 0;
    if (isOther) {
      this.#other = draft;
      return this.#show({ state: "other" });
    }
    this.#adopt(draft);
    if (this.#stored.values === sent) this.#show({ state: "saved" });
    else this.#saveIn(SAVES_AFTER_MS);
  }

  async #meetGone(): Promise<void> {
    const read = await this.#deps.send({ do: "read" });
    if (!read.ok) return this.#meetFailure();
    this.#other = read.data.draft;
    this.#show({ state: "gone" });
  }

  #meetFailure(state: "failed" | "full" = "failed"): void {
    const ms = TRIES_AGAIN_AFTER_MS[this.#failures] ?? TRIES_LATER_AFTER_MS;
    this.#failures += 1;
    this.#saveIn(ms);
    this.#show({ state });
  }
}

export function DraftStatus({ draft, onDiscarded }: { draft: FormDraft; onDiscarded?: () => void }) {
  const t = useTranslations("draft");
  const locale = useLocale();
  const [isAsking, setAsking] = useState(false);
  const { state, savedAt } = draft;
  if (isAsking) {
    const discard = async () => {
      setAsking(false);
      if (await draft.discard()) onDiscarded?.();
    };
    return (
      <DiscardQuestion
        question={t("discardQuestion")}
        onSave={() => setAsking(false)}
        onDiscard={() => void discard()}
      />
    );
  }
  if (state === "empty") return <p className="text-sm text-muted">{t("keeps")}</p>;
  const said = {
    saved: t("saved", { time: savedAt === null ? "" : formatTime(savedAt, locale) }),
    unsaved: t("saving"),
    failed: t("failed"),
    full: t("full"),
    other: t("notSaved"),
    gone: t("notSaved"),
  }[state];
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      {/* Announcing each save would interrupt the typing. */}
      <p role={state === "failed" || state === "full" ? "alert" : undefined}>{said}</p>
      <Button tone="quiet" size="small" onClick={() => setAsking(true)}>
        {t("discard")}
      </Button>
    </div>
  );
}

export function DraftNotice({ draft }: { draft: FormDraft }) {
  const t = useTranslations("draft");
  const locale = useLocale();
  const [restoredAt] = useState(draft.isRestored ? draft.savedAt : null);
  const { state, savedAt } = draft;
  if (state === "other" || state === "gone") {
    return (
      <Notice tone="warning" live="assertive">
        <p>{t(state)}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" onClick={draft.saveOwn}>
            {t("keepOwn")}
          </Button>
          <Button size="small" onClick={draft.takeOther}>
            {t(state === "other" ? "takeOther" : "beginAnew")}
          </Button>
        </div>
      </Notice>
    );
  }
  if (draft.isUnopened && state === "empty") return <Notice tone="warning">{t("unopened")}</Notice>;
  // Shown only until the next save.
  if (restoredAt === null || savedAt !== restoredAt) return null;
  return <Notice tone="info">{t("restored", { time: formatDateTime(restoredAt, locale) })}</Notice>;
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const NO_ANSWER: ActionResult<DraftAnswer> = { ok: false, error: { kind: "unavailable", message: "" } };

export type FormDraft = StoredDraft &
  Pick<DraftSaver, "set" | "replace" | "flush" | "takeOther" | "saveOwn" | "discard" | "end"> & {
    value: (name: string) => string;
    isRestored: boolean;
    isUnopened: boolean;
  };

type Opened = {
  opened: Draft;
  save: Action<DraftOrder, DraftAnswer>;
};

const MAX_WRITTEN = 8;

/** Keeps drafts of this window, as the back button restores a page with an older draft. */
export class WrittenDrafts {
  readonly #savers = new Map<string, DraftSaver>();

  readonly find = (key: string, opened: Draft): DraftSaver | null => {
    const known = this.#savers.get(key);
    return known?.knows(opened) === true ? known : null;
  };

  /** Drops the least recently used first, but none with unsaved text. */
  readonly keep = (key: string, saver: DraftSaver): void => {
    this.#savers.delete(key);
    this.#savers.set(key, saver);
    const done = [...this.#savers].filter(([, one]) => one !== saver && one.isDone());
    for (const [old] of done.slice(0, Math.max(0, this.#savers.size - MAX_WRITTEN))) this.#savers.delete(old);
  };

  readonly drop = (key: string): void => void this.#savers.delete(key);
}

/** By person and tenant, so nobody is offered somebody else's text. */
export const draftKey = (scopeId: string, { draftId }: Draft): string => `${scopeId} ${draftId}`;

const written = new WrittenDrafts();

/** The URL names the draft from the first letter on, so that a reload continues it without asking. */
function useNamed({ draftId, state }: StoredDraft): void {
  useEffect(() => {
    if (state !== "unsaved") return;
    const address = new URL(window.location.href);
    if (address.searchParams.get(DRAFT_PARAMETER) === draftId) return;
    address.searchParams.set(DRAFT_PARAMETER, draftId);
    window.history.replaceState(null, "", `${address.pathname}${address.search}`);
  }, [draftId, state]);
}

/** Stored on the server only, without secrets. `draftId` becomes the intent on sending. Call `end` once sent. */
export function useDraft({ opened, save }: Opened): FormDraft {
  const { id, revalidate } = useScope();
  // A discarded draft is followed by a new one.
  const [key] = useState(() => draftKey(id, opened));
  const [saver] = useState(() => {
    const known = written.find(key, opened);
    if (known !== null) return known;
    const send = async (order: DraftOrder) => {
      const answer = await save(order, id).catch(() => NO_ANSWER);
      if (!answer.ok && (answer.error.kind === "conflict" || answer.error.kind === "unauthenticated")) revalidate();
      return answer;
    };
    return new DraftSaver(opened, { after, send });
  });
  const stored = useSyncExternalStore(saver.follow, saver.now, saver.now);
  useUnsaved(stored.state === "unsaved" || stored.state === "failed");
  useNamed(stored);

  useEffect(() => {
    const flushWhenHidden = () => document.visibilityState === "hidden" && saver.flush();
    document.addEventListener("visibilitychange", flushWhenHidden);
    window.addEventListener("online", saver.flush);
    written.keep(key, saver);
    return () => {
      document.removeEventListener("visibilitychange", flushWhenHidden);
      window.removeEventListener("online", saver.flush);
      saver.leave();
    };
  }, [saver, key]);

  const { set, replace, flush, takeOther, saveOwn, discard } = saver;
  const end = () => {
    saver.end();
    written.drop(key);
  };
  const deeds = { set, replace, flush, takeOther, saveOwn, discard, end };
  const value = (name: string) => stored.values[name] ?? "";
  const [isRestored] = useState(opened.fields !== null || Object.keys(stored.values).length > 0);
  return { ...stored, ...deeds, value, isRestored, isUnopened: opened.isUnopened === true };
}

export type Fields = {
  value: (name: string) => string;
  error: (name: string) => string | undefined;
  set: (name: string, value: string) => void;
};

type FieldErrors = {
  fields: Fields;
  errors: Readonly<Record<string, string>>;
  attempts: number;
  show: (wrong: Record<string, string>) => void;
  /** Adds to the current errors while the person continues. */
  note: (wrong: Record<string, string>) => void;
  forget: () => void;
};

const itself = (name: string): readonly string[] => [name];

/** `correctedBy`: the fields whose errors a correction clears. */
export function useFieldErrors(draft: FormDraft, correctedBy = itself): FieldErrors {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [attempts, setAttempts] = useState(0);
  const fields: Fields = {
    value: draft.value,
    error: (name) => errors[name],
    set: (name, value) => {
      // Leaving a field keeps its mark: a summary that shrinks under the pointer would lose the click.
      if (value === draft.value(name)) return;
      draft.set({ [name]: value });
      const corrected = correctedBy(name);
      setErrors((wrong) => Object.fromEntries(Object.entries(wrong).filter(([field]) => !corrected.includes(field))));
    },
  };
  const show = (wrong: Record<string, string>) => {
    setErrors(wrong);
    setAttempts((before) => before + 1);
  };
  const note = (wrong: Record<string, string>) => setErrors((before) => ({ ...before, ...wrong }));
  return { fields, errors, attempts, show, note, forget: () => setErrors({}) };
}
