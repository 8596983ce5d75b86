"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import type { Action } from "@/lib/action";
import type { Draft, DraftAnswer, DraftOrder } from "@/lib/draft";
import type { ActionResult } from "@/lib/result";
import { useDesk, useUnsaved } from "./desk";
import { DraftKeeper, type KeptDraft } from "./draft-keeper";

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

const NO_ANSWER: ActionResult<DraftAnswer> = { ok: false, error: { kind: "unavailable", message: "" } };

export type HeldDraft = KeptDraft &
  Pick<DraftKeeper, "set" | "replace" | "flush" | "takeOther" | "keepOwn" | "discard" | "end"> & {
    /** What was typed there, or nothing. */
    value: (name: string) => string;
    /** What it held when the page was opened was typed another time. */
    isRestored: boolean;
    /** What was kept does not open. */
    isUnopened: boolean;
  };

type Opened = {
  /** As the page was rendered. */
  opened: Draft;
  /** The form's own action, which asks for the permission that the form asks for. */
  keep: Action<DraftOrder, DraftAnswer>;
};

/**
 * What is typed into a long form, kept on the server a moment after the last key: never in the browser, and never fields whose
 * names are those of secrets. `draftId` is the intent id of what is sent from it. Call `end` once it was sent.
 */
export function useDraft({ opened, keep }: Opened): HeldDraft {
  const { id, look } = useDesk();
  const [keeper] = useState(() => {
    const send = async (order: DraftOrder) => {
      const [sent] = await Promise.allSettled([keep(order, id)]);
      const answer = sent.status === "fulfilled" ? sent.value : NO_ANSWER;
      if (!answer.ok && (answer.error.kind === "conflict" || answer.error.kind === "unauthenticated")) look();
      return answer;
    };
    return new DraftKeeper(opened, { after, send });
  });
  const kept = useSyncExternalStore(keeper.follow, keeper.now, keeper.now);
  useUnsaved(kept.state === "unsaved" || kept.state === "failed");

  useEffect(() => {
    const flushWhenHidden = () => document.visibilityState === "hidden" && keeper.flush();
    document.addEventListener("visibilitychange", flushWhenHidden);
    window.addEventListener("online", keeper.flush);
    return () => {
      document.removeEventListener("visibilitychange", flushWhenHidden);
      window.removeEventListener("online", keeper.flush);
      keeper.flush();
    };
  }, [keeper]);

  const { set, replace, flush, takeOther, keepOwn, discard, end } = keeper;
  const deeds = { set, replace, flush, takeOther, keepOwn, discard, end };
  const value = (name: string) => kept.values[name] ?? "";
  return { ...kept, ...deeds, value, isRestored: opened.fields !== null, isUnopened: opened.isUnopened === true };
}
