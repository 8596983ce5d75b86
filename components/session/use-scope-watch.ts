"use client";

import { useCallback, useEffect, useRef, useState } from "react";

export type ScopeNow = {
  id: string;
  person: { name: string };
  tenant: { clientId: string; name: string; environment: "EMBEDDED" | "SANDBOX" | "PRODUCTION" };
};

export type Ending = string | null;

type ScopeAnswer =
  | { kind: "scope"; scope: ScopeNow; endsInMs: number }
  | { kind: "signed-out"; reason: Ending }
  | { kind: "unknown" };

const CHANNEL = "scope";
const NOBODY = "";

function post(channel: BroadcastChannel | null, scope: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  channel?.postMessage(scope);
}

const UNREADABLE = Symbol("unreadable");

/** Any other answer, such as a hotel's sign-in page, counts as none. */
export async function readScopeNow(signal: AbortSignal | null = null): Promise<ScopeAnswer> {
  const asked = await fetch("/api/scope", { cache: "no-store", signal }).catch(() => null);
  const body = await asked?.json().catch(() => UNREADABLE);
  if (!asked || body === UNREADABLE) return { kind: "unknown" };
  if (asked.ok) return { kind: "scope", scope: body, endsInMs: body.endsInMs };
  if (asked.status !== 401) return { kind: "unknown" };
  return { kind: "signed-out", reason: body?.error?.reason ?? null };
}

export type ScopeState =
  | { kind: "here" }
  | { kind: "moved"; now: ScopeNow }
  /** The page is covered until its person is back. */
  | { kind: "ended"; reason: Ending };

const HERE: ScopeState = { kind: "here" };

export type Whereabouts = "here" | "away" | "unknown";

const PATIENCE_MS = 5_000;
/** Requests sent with the cookie from before a renewal fail without a reason for this long. */
const AGAIN_AFTER_MS = 3_000;

function stateOf(found: Exclude<ScopeAnswer, { kind: "unknown" }>, own: string): ScopeState {
  if (found.kind === "signed-out") return { kind: "ended", reason: found.reason };
  return found.scope.id === own ? HERE : { kind: "moved", now: found.scope };
}

/** Other tabs announce changes; a withdrawn membership is noticed on return to the tab. `endsIn` in milliseconds. */
export function useScopeWatch(own: string) {
  const [state, setState] = useState<ScopeState>(HERE);
  const [endsIn, setEndsIn] = useState<{ ms: number } | null>(null);
  const channel = useRef<BroadcastChannel>(null);
  const checks = useRef(0);
  const isAway = useRef(false);

  const take = useCallback((next: ScopeState) => {
    isAway.current = next.kind !== "here";
    setState(next);
  }, []);

  const seeWhere = useCallback(
    async (signal?: AbortSignal): Promise<Whereabouts> => {
      checks.current += 1;
      const turn = checks.current;
      const found = await readScopeNow(signal);
      if (found.kind === "unknown") return "unknown";
      const next = stateOf(found, own);
      // An older answer may name an earlier scope.
      if (turn === checks.current) {
        if (found.kind === "scope") setEndsIn({ ms: found.endsInMs });
        take(next);
      }
      return next.kind === "here" ? "here" : "away";
    },
    [own, take],
  );
  const revalidate = useCallback(() => void seeWhere(), [seeWhere]);
  const findWhere = useCallback(() => seeWhere(AbortSignal.timeout(PATIENCE_MS)), [seeWhere]);

  const end = useCallback(
    (reason: Ending) => {
      take({ kind: "ended", reason });
      revalidate();
    },
    [revalidate, take],
  );

  const isUnexplained = state.kind === "ended" && state.reason === null;
  useEffect(() => {
    if (!isUnexplained) return;
    const timer = setTimeout(revalidate, AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isUnexplained, revalidate]);

  const announce = useCallback((scope: string) => post(channel.current, scope), []);
  const announceEnd = useCallback(() => post(channel.current, NOBODY), []);

  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    channel.current = opened;
    opened.addEventListener("message", ({ data }) => {
      // After signing out nothing may stay visible or in memory.
      if (data === NOBODY) location.replace("/sign-in");
      else if (data !== own || isAway.current) revalidate();
    });
    post(opened, own);
    const left = new AbortController();
    const { signal } = left;
    document.addEventListener("visibilitychange", () => document.hidden || revalidate(), { signal });
    // The back-forward cache restores a page as it was left.
    addEventListener("pageshow", ({ persisted }) => persisted && revalidate(), { signal });
    return () => {
      opened.close();
      left.abort();
    };
  }, [revalidate, own]);

  return { state, endsIn, revalidate, findWhere, end, announce, announceEnd };
}
