"use client";

import { useCallback, useEffect } from "react";
import type { LiveTopic } from "@/lib/live/view";
import { useScope } from "@/components/session/scope";
import {
  createRefresher,
  followReturn,
  hasLoaded,
  isAbout,
  type Leave,
  POLL_INTERVAL_MS,
  untilLoaded,
  useLive,
} from "./live-provider";

/** `everyMinute`: for screens that show their own freshness, also without a change and on return. */
type LiveRefreshProps = { topics: readonly LiveTopic[]; object?: string; everyMinute?: boolean };

/** An unanswered refresh makes the browser load the page, so none starts offline or with unsaved text. */
export function LiveRefresh({ topics, object, everyMinute = false }: LiveRefreshProps) {
  const { follow } = useLive();
  const { unsaved, findWhere, refresh } = useScope();
  const names = topics.join(" ");

  useEffect(() => {
    const mayBegin = async (): Promise<Leave> => {
      if (!hasLoaded() || unsaved.hasUnsaved()) return "later";
      const where = await findWhere();
      if (where === "away") return "never";
      return where === "here" && !unsaved.hasUnsaved() ? "now" : "later";
    };
    let readAtMs = Date.now();
    const read = () => {
      readAtMs = Date.now();
      refresh();
    };
    const { ask, retryNow, end } = createRefresher(read, mayBegin);
    const about = { topics: names.split(" "), object };
    const unfollow = follow((signal) => {
      if (isAbout(about, signal)) ask();
    });
    const unfollowUnsaved = unsaved.followNoneLeft(retryNow);
    const timer = everyMinute ? setInterval(ask, POLL_INTERVAL_MS) : undefined;
    const unfollowReturn = everyMinute ? followReturn(() => readAtMs, ask) : undefined;
    return () => {
      clearInterval(timer);
      unfollowReturn?.();
      unfollow();
      unfollowUnsaved();
      end();
    };
  }, [follow, unsaved, findWhere, refresh, object, everyMinute, names]);

  return null;
}

/** An unanswered refresh would load the page and lose unsaved text, so it is skipped then. */
export function useRefresh(): () => void {
  const { findWhere, refresh } = useScope();
  return useCallback(() => {
    void untilLoaded()
      .then(findWhere)
      .then((where) => where === "here" && refresh());
  }, [findWhere, refresh]);
}
