"use client";

import {
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
  useCallback,
  useMemo,
  useRef,
  useTransition,
} from "react";
import { useRouter } from "next/navigation";
import { deferred } from "@/components/layout/deferred";
import type { Action } from "@/lib/action";
import { createUnsaved, NOBODYS, RenderedFor, ScopeContext } from "./scope";
import { type ScopeNow, type ScopeState, useScopeWatch } from "./use-scope-watch";

type SessionTime = { endsInMs: number; idleMs: number };

export type PresenceAnswer = { endsInMs: number } | "ended" | "unknown";

type PresenceDeps = {
  now: () => number;
  after: (ms: number, run: () => void) => () => void;
  renew: () => Promise<PresenceAnswer>;
  share: (endsInMs: number) => void;
  onOver: () => void;
  onEnded: () => void;
};

/** Requests of one person are spaced by this. */
const RENEW_EVERY_MS = 60_000;
const WARN_MS = 120_000;

const nothing = () => {};

export class Presence {
  readonly #deps: PresenceDeps;
  readonly #renewEveryMs: number;
  readonly #warnMs: number;
  readonly #followers = new Set<() => void>();
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #warnsOf: number | null = null;
  #stopTimers = nothing;

  constructor(idleMs: number, deps: PresenceDeps) {
    this.#deps = deps;
    this.#renewEveryMs = Math.min(RENEW_EVERY_MS, idleMs / 4);
    this.#warnMs = Math.min(WARN_MS, idleMs / 3);
  }

  readonly warnsOf = (): number | null => this.#warnsOf;

  readonly follow = (listener: () => void): (() => void) => {
    this.#followers.add(listener);
    return () => void this.#followers.delete(listener);
  };

  extendTo(endsInMs: number): void {
    this.#lasts(endsInMs);
    if (endsInMs <= this.#warnMs) this.#warn(this.#deps.now() + endsInMs);
  }

  #lasts(endsInMs: number): void {
    this.#stopTimers();
    const endsAtMs = this.#deps.now() + endsInMs;
    const untilWarningMs = endsInMs - this.#warnMs;
    this.#warn(null);
    const stopWarning = untilWarningMs > 0 ? this.#deps.after(untilWarningMs, () => this.#warn(endsAtMs)) : nothing;
    const stopOver = this.#deps.after(Math.max(0, endsInMs), this.#deps.onOver);
    this.#stopTimers = () => {
      stopWarning();
      stopOver();
    };
  }

  renewed(endsInMs: number): void {
    this.#renewedAtMs = this.#deps.now();
    this.extendTo(endsInMs);
  }

  /** Typing under a warning does not extend the session: the warning has a button for that. */
  active(): void {
    if (this.#warnsOf !== null || this.#deps.now() - this.#renewedAtMs < this.#renewEveryMs) return;
    void this.stay();
  }

  async stay(): Promise<void> {
    this.#renewedAtMs = this.#deps.now();
    const answer = await this.#deps.renew();
    if (answer === "ended") return this.#deps.onEnded();
    if (answer === "unknown") return;
    // The twelve-hour limit still applies.
    this.#lasts(answer.endsInMs);
    this.#deps.share(answer.endsInMs);
  }

  close(): void {
    this.#stopTimers();
  }

  #warn(endsAtMs: number | null): void {
    this.#warnsOf = endsAtMs;
    for (const listener of this.#followers) listener();
  }
}

const CHANNEL = "retaguarda-presence";
const ACTIVITY = ["pointerdown", "keydown", "wheel"] as const;

async function renew(): Promise<PresenceAnswer> {
  const answer = await fetch("/api/session", { method: "POST" }).catch(() => null);
  if (answer === null) return "unknown";
  if (answer.status === 401) return "ended";
  return answer.ok ? answer.json().catch(() => "unknown") : "unknown";
}

function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

type Watched = {
  time: SessionTime | null;
  endsIn: { ms: number } | null;
  onOver: () => void;
  onEnded: () => void;
};

function createPresence({ time, onOver, onEnded }: Watched) {
  let channel: BroadcastChannel | null = null;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's messages stay within its origin
  const share = (endsInMs: number) => channel?.postMessage(endsInMs);
  const presence = new Presence(time?.idleMs ?? 0, { now: Date.now, after, renew, share, onOver, onEnded });
  const note = ({ isTrusted }: Event) => isTrusted && presence.active();
  const watch = () => {
    const opened = new BroadcastChannel(CHANNEL);
    channel = opened;
    opened.addEventListener("message", ({ data }: MessageEvent<number>) => presence.renewed(data));
    for (const active of ACTIVITY) window.addEventListener(active, note, { capture: true, passive: true });
    return () => {
      for (const active of ACTIVITY) window.removeEventListener(active, note, { capture: true });
      opened.close();
      presence.close();
    };
  };
  return { presence, watch };
}

const never = () => null;

/** `warnsOf`: the session's end by this machine's clock once near, else null. Keeps the first render's callbacks. */
function usePresence(watched: Watched) {
  const [{ presence, watch }] = useState(() => createPresence(watched));
  const { time, endsIn } = watched;
  useEffect(watch, [watch]);
  useEffect(() => {
    if (time !== null) presence.extendTo(time.endsInMs);
  }, [presence, time]);
  useEffect(() => {
    if (endsIn !== null) presence.extendTo(endsIn.ms);
  }, [presence, endsIn]);
  const warnsOf = useSyncExternalStore(presence.follow, presence.warnsOf, never);
  return { warnsOf, stay: () => void presence.stay() };
}

/** One at a time: concurrent refreshes may conflict, and Next then loads the page. */
function useOneRefresh(): () => void {
  const router = useRouter();
  const [isOnItsWay, start] = useTransition();
  const turns = useRef({ isTaken: false, isDue: false });
  const refresh = useCallback(() => {
    const { current } = turns;
    current.isDue = current.isTaken;
    current.isTaken = true;
    if (!current.isDue) start(() => router.refresh());
  }, [router]);
  useEffect(() => {
    const { current } = turns;
    if (isOnItsWay) return;
    current.isTaken = false;
    if (current.isDue) refresh();
  }, [isOnItsWay, refresh]);
  return refresh;
}

const Blank = () => <div aria-busy className="fixed inset-0 z-60 bg-canvas" />;

// Loaded on demand, as few tabs are ever covered; until then the page is blank.
const ScopeCover = deferred(() => import("./covers").then((loaded) => loaded.ScopeCover), <Blank />);
const SessionCover = deferred(() => import("./covers").then((loaded) => loaded.SessionCover), <Blank />);
const IdleWarning = deferred(() => import("./idle-warning").then((loaded) => loaded.IdleWarning));

function useReturns({ kind }: ScopeState): number {
  const [was, setWas] = useState(kind);
  const [returns, setReturns] = useState(0);
  if (was !== kind) {
    setWas(kind);
    if (was === "ended" && kind === "here") setReturns(returns + 1);
  }
  return returns;
}

/** Changed roles change the screens; after any other end the page stays. */
function useNewRoles(state: ScopeState, refresh: () => void): void {
  const haveChanged = useRef(false);
  useEffect(() => {
    if (state.kind === "ended") haveChanged.current = state.reason === "roles-changed";
    if (state.kind !== "here" || !haveChanged.current) return;
    haveChanged.current = false;
    refresh();
  }, [state, refresh]);
}

const NOBODY: ScopeNow = { id: "", person: { name: "" }, tenant: { clientId: "", name: "", environment: "EMBEDDED" } };

type ScopeGuardProps = {
  scope: ScopeNow | null;
  session: SessionTime | null;
  switchTenant: Action<string, string>;
  signIn: ReactNode;
  children: ReactNode;
};

/** Unsaved text stays under the cover and cannot reach another session scope. */
export function ScopeGuard({ scope, session, switchTenant, signIn, children }: ScopeGuardProps) {
  // A tab keeps its scope while it has unsaved text.
  const [own] = useState(scope ?? NOBODY);
  const [ownSignIn] = useState(signIn);
  const { state, endsIn, revalidate, findWhere, end, announce, announceEnd } = useScopeWatch(own.id);
  const refresh = useOneRefresh();
  useNewRoles(state, refresh);
  const returns = useReturns(state);
  const onOver = useCallback(() => end("idle"), [end]);
  const { warnsOf, stay } = usePresence({ time: session, endsIn, onOver, onEnded: revalidate });
  const [unsaved] = useState(createUnsaved);
  const hold = useMemo(
    () => ({ id: own.id, revalidate, findWhere, refresh, announce, announceEnd, unsaved, returns }),
    [own.id, revalidate, findWhere, refresh, announce, announceEnd, unsaved, returns],
  );
  return (
    <ScopeContext value={hold}>
      <RenderedFor scope={scope?.id ?? NOBODYS}>{children}</RenderedFor>
      {state.kind === "here" && warnsOf !== null ? <IdleWarning endsAtMs={warnsOf} onStay={stay} /> : null}
      {state.kind === "moved" ? <ScopeCover shown={own} now={state.now} switchTenant={switchTenant} /> : null}
      {state.kind === "ended" ? (
        <SessionCover
          person={own.person.name}
          reason={state.reason}
          hasUnsaved={unsaved.hasUnsaved()}
          signIn={ownSignIn}
        />
      ) : null}
    </ScopeContext>
  );
}
