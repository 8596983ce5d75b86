"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { Presence, type PresenceAnswer, type SessionTime } from "./presence";

const CHANNEL = "retaguarda-presence";
const SIGNS = ["pointerdown", "keydown", "wheel"] as const;

async function tell(): Promise<PresenceAnswer> {
  const [told] = await Promise.allSettled([fetch("/api/session", { method: "POST" })]);
  if (told.status === "rejected") return "unknown";
  if (told.value.status === 401) return "ended";
  const [body] = await Promise.allSettled([told.value.json()]);
  return told.value.ok && body.status === "fulfilled" ? body.value : "unknown";
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

type Watched = {
  /** As the page was rendered. */
  time: SessionTime;
  /** As the server has said since. */
  endsIn: { ms: number } | null;
  onOver: () => void;
  onEnded: () => void;
};

/** A `Presence` of this tab; `watch` lets it know of input here, and of what other tabs were told, until what it returns is called. */
function createPresence({ time, onOver, onEnded }: Watched) {
  let channel: BroadcastChannel | null = null;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  const share = (endsInMs: number) => channel?.postMessage(endsInMs);
  const presence = new Presence(time.idleMs, { now: Date.now, after, tell, share, onOver, onEnded });
  const note = ({ isTrusted }: Event) => isTrusted && presence.sign();
  const watch = () => {
    const opened = new BroadcastChannel(CHANNEL);
    channel = opened;
    opened.addEventListener("message", ({ data }: MessageEvent<number>) => presence.hears(data));
    for (const sign of SIGNS) window.addEventListener(sign, note, { capture: true, passive: true });
    return () => {
      for (const sign of SIGNS) window.removeEventListener(sign, note, { capture: true });
      opened.close();
      presence.close();
    };
  };
  return { presence, watch };
}

const never = () => null;

/**
 * Tells the server of the person in this tab, and when the session ends for want of a sign of them: `warnsOf` is that
 * instant by this machine's clock once it is near, else null. `onOver` and `onEnded` are those of the first render.
 */
export function usePresence(watched: Watched) {
  const [{ presence, watch }] = useState(() => createPresence(watched));
  const { time, endsIn } = watched;
  useEffect(watch, [watch]);
  useEffect(() => presence.lasts(time.endsInMs), [presence, time]);
  useEffect(() => {
    if (endsIn !== null) presence.lasts(endsIn.ms);
  }, [presence, endsIn]);
  const warnsOf = useSyncExternalStore(presence.follow, presence.warnsOf, never);
  return { warnsOf, stay: () => void presence.stay() };
}
