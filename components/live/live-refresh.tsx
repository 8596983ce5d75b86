"use client";

import { useCallback, useEffect } from "react";
import type { LiveTopic } from "@/lib/live/view";
import { useScope } from "@/components/session/scope";
import { useLive } from "./live-provider";
import type { LiveSignal } from "./live-provider";
import { createRefresher, type Leave } from "./refresher";

type LiveRefreshProps = {
  topics: readonly LiveTopic[];
  object?: string;
  followsFreshness?: boolean;
};

type Shown = { topics: readonly string[]; object: string | undefined; followsFreshness: boolean };

function concerns(signal: LiveSignal, { topics, object, followsFreshness }: Shown): boolean {
  if (signal.kind === "reset") return true;
  if (signal.kind === "fresh") return followsFreshness && topics.includes(signal.topic);
  if (signal.kind !== "changed" || !topics.includes(signal.topic)) return false;
  return object === undefined || signal.objects === null || signal.objects.includes(object);
}

/** A refresh without an answer makes the browser load the page, so none begins offline, with unsaved text or under a cover. */
export function LiveRefresh({ topics, object, followsFreshness = false }: LiveRefreshProps) {
  const { follow } = useLive();
  const { unsaved, findWhere, refresh } = useScope();
  const names = topics.join(" ");

  useEffect(() => {
    const mayBegin = async (): Promise<Leave> => {
      if (unsaved.hasUnsaved()) return "later";
      const where = await findWhere();
      if (where === "away") return "never";
      return where === "here" && !unsaved.hasUnsaved() ? "now" : "later";
    };
    const { ask, wakers, end } = createRefresher(refresh, mayBegin);
    const shown = { topics: names.split(" "), object, followsFreshness };
    const unfollow = follow((signal) => concerns(signal, shown) && ask());
    const unfollowUnsaved = unsaved.followNoneLeft(wakers);
    return () => {
      unfollow();
      unfollowUnsaved();
      end();
    };
  }, [follow, unsaved, findWhere, refresh, object, followsFreshness, names]);

  return null;
}

/** A refresh without an answer would load the page and lose what was typed: then nothing is done. */
export function useRefresh(): () => void {
  const { findWhere, refresh } = useScope();
  return useCallback(() => {
    void findWhere().then((where) => where === "here" && refresh());
  }, [findWhere, refresh]);
}
