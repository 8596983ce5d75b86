"use client";

import { useCallback, useEffect } from "react";
import type { LiveTopic } from "@/lib/live/view";
import { useScope } from "@/components/session/scope";
import { useLive } from "./live-provider";
import type { Heard } from "./live-provider";
import { createRefresher, type Leave } from "./refresher";

type LiveRefreshProps = {
  topics: readonly LiveTopic[];
  object?: string;
  tellsFreshness?: boolean;
};

type Shown = { topics: readonly string[]; object: string | undefined; tellsFreshness: boolean };

function concerns(heard: Heard, { topics, object, tellsFreshness }: Shown): boolean {
  if (heard.kind === "reset") return true;
  if (heard.kind === "fresh") return tellsFreshness && topics.includes(heard.topic);
  if (heard.kind !== "changed" || !topics.includes(heard.topic)) return false;
  return object === undefined || heard.objects === null || heard.objects.includes(object);
}

/** A refresh without an answer makes the browser load the page, so none begins offline, with unsaved text or under a cover. */
export function LiveRefresh({ topics, object, tellsFreshness = false }: LiveRefreshProps) {
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
    const shown = { topics: names.split(" "), object, tellsFreshness };
    const unfollow = follow((heard) => concerns(heard, shown) && ask());
    const unfollowUnsaved = unsaved.followNoneLeft(wakers);
    return () => {
      unfollow();
      unfollowUnsaved();
      end();
    };
  }, [follow, unsaved, findWhere, refresh, object, tellsFreshness, names]);

  return null;
}

/** A refresh without an answer would load the page and lose what was typed: then nothing is done. */
export function useRefresh(): () => void {
  const { findWhere, refresh } = useScope();
  return useCallback(() => {
    void findWhere().then((where) => where === "here" && refresh());
  }, [findWhere, refresh]);
}
