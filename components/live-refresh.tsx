"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { LiveTopic } from "@/lib/live-message";
import { useLive } from "./live-provider";
import type { Heard } from "./live-stream";
import { createRefresher } from "./refresher";

type LiveRefreshProps = {
  topics: readonly LiveTopic[];
  /** The one object that the page shows; none: all of the topics. */
  object?: string;
  /** The page says when it was last looked at. */
  tellsFreshness?: boolean;
};

type Shown = { topics: readonly string[]; object: string | undefined; tellsFreshness: boolean };

function concerns(heard: Heard, { topics, object, tellsFreshness }: Shown): boolean {
  if (heard.kind === "reset") return true;
  if (heard.kind === "fresh") return tellsFreshness && topics.includes(heard.topic);
  if (heard.kind !== "changed" || !topics.includes(heard.topic)) return false;
  return object === undefined || heard.objects === null || heard.objects.includes(object);
}

/** Renders the page anew when what it shows has changed; open dialogs, what was typed and the focus stay. */
export function LiveRefresh({ topics, object, tellsFreshness = false }: LiveRefreshProps) {
  const router = useRouter();
  const { follow } = useLive();
  const names = topics.join(" ");

  useEffect(() => {
    const { ask, end } = createRefresher(() => router.refresh());
    const shown = { topics: names.split(" "), object, tellsFreshness };
    const unfollow = follow((heard) => concerns(heard, shown) && ask());
    return () => {
      unfollow();
      end();
    };
  }, [router, follow, object, tellsFreshness, names]);

  return null;
}
