"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { formatDateTime, formatTime } from "@/lib/format";
import { DiscardQuestion } from "./discard-question";
import { Button } from "./ui/button";
import { Notice } from "./ui/notice";
import type { HeldDraft } from "./use-draft";

/** Whether what was typed is kept, and the way to begin anew. Needs the words of `draft`. */
export function DraftStatus({ draft, onDiscarded }: { draft: HeldDraft; onDiscarded?: () => void }) {
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
        onKeep={() => setAsking(false)}
        onDiscard={() => void discard()}
      />
    );
  }
  if (state === "empty") return <p className="text-sm text-muted">{t("keeps")}</p>;
  const said = {
    saved: t("saved", { time: savedAt === null ? "" : formatTime(savedAt, locale) }),
    unsaved: t("saving"),
    failed: t("failed"),
    other: t("notSaved"),
    gone: t("notSaved"),
  }[state];
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      {/* Each saving would be read out in the middle of the typing: only what went wrong is. */}
      <p role={state === "failed" ? "alert" : undefined}>{said}</p>
      <Button tone="quiet" size="small" onClick={() => setAsking(true)}>
        {t("discard")}
      </Button>
    </div>
  );
}

/** What somebody who comes back, or works in two tabs, must know of the draft; nothing otherwise. */
export function DraftNotice({ draft }: { draft: HeldDraft }) {
  const t = useTranslations("draft");
  const locale = useLocale();
  const [restoredAt] = useState(draft.isRestored ? draft.savedAt : null);
  const { state, savedAt } = draft;
  if (state === "other" || state === "gone") {
    return (
      <Notice tone="warning" live="assertive">
        <p>{t(state)}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" onClick={draft.keepOwn}>
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
  // As long as nothing else was saved, what stands there is what was left.
  if (restoredAt === null || savedAt !== restoredAt) return null;
  return <Notice tone="info">{t("restored", { time: formatDateTime(restoredAt, locale) })}</Notice>;
}
