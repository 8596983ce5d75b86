"use client";

import { useTranslations } from "next-intl";
import { PrefetchKind } from "next/dist/client/components/router-reducer/router-reducer-types";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { noteAhead } from "@/components/layout/pages-ahead";
import { Notice } from "@/components/ui/notice";

/** The target of a plain click within the console; null for any other click. */
function targetOf(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!isPlain || !(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download"))
    return null;
  return link.origin === location.origin ? `${link.pathname}${link.search}` : null;
}

/** A form without its own place for errors. */
const needsAnswer = ({ target }: MouseEvent) =>
  target instanceof Element && target.closest("form[data-needs-answer] button") !== null;

/** Pages that read only the store and audit no access: only these are prefetched. */
const LISTS: ReadonlySet<string> = new Set([
  "/kyc",
  "/onboarding",
  "/accounts",
  "/transfers",
  "/wallets",
  "/approvals",
]);
const RESTS_MS = 40;

/** Prefetches another order, view or part of the list from a link that somebody is about to follow. */
function useListsAhead(): void {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const handle = ({ target }: Event) => {
      clearTimeout(timer);
      const link = target instanceof Element ? target.closest("main a[href]") : null;
      if (!(link instanceof HTMLAnchorElement) || !LISTS.has(link.pathname)) return;
      if (link.origin !== location.origin || link.pathname !== location.pathname || link.href === location.href) return;
      const { href } = link;
      timer = setTimeout(() => {
        noteAhead(href);
        router.prefetch(href, { kind: PrefetchKind.FULL });
      }, RESTS_MS);
    };
    const signs = ["pointerover", "focusin"] as const;
    for (const sign of signs) document.addEventListener(sign, handle, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, handle);
    };
  }, [router]);
}

/** Offline, Next would let the browser load the page and lose this one. */
function useStopsOffline(): boolean {
  const [isStopped, setStopped] = useState(false);
  useEffect(() => {
    const stop = (event: MouseEvent) => {
      const isLeaving = !navigator.onLine && (targetOf(event) !== null || needsAnswer(event));
      if (isLeaving) event.preventDefault();
      setStopped(isLeaving);
    };
    const stay = (event: NavigateEvent) => {
      if (navigator.onLine || event.destination.sameDocument || !event.cancelable) return;
      event.preventDefault();
      // Next reads it during a render that never ends, and a state change within that render would not show.
      setTimeout(setStopped, 0, true);
    };
    const goOn = () => setStopped(false);
    document.addEventListener("click", stop, true);
    // Not in every browser.
    window.navigation?.addEventListener("navigate", stay);
    window.addEventListener("online", goOn);
    return () => {
      document.removeEventListener("click", stop, true);
      window.navigation?.removeEventListener("navigate", stay);
      window.removeEventListener("online", goOn);
    };
  }, []);
  return isStopped;
}

/** A thin line from a click on a link until the next page is there; the old page stays meanwhile. */
export function ProgressLine() {
  const t = useTranslations("common");
  const here = `${usePathname()}?${useSearchParams()}`;
  const [leaving, setLeaving] = useState<string | null>(null);
  useListsAhead();
  useEffect(() => {
    const note = (event: MouseEvent) => {
      const target = targetOf(event);
      const isElsewhere = navigator.onLine && target !== null && target !== `${location.pathname}${location.search}`;
      setLeaving(isElsewhere ? here : null);
    };
    document.addEventListener("click", note);
    return () => document.removeEventListener("click", note);
  }, [here]);
  const isStopped = useStopsOffline();
  return (
    <>
      {leaving === here ? <output aria-label={t("loading")} className="progress-line print:hidden" /> : null}
      <div role="alert" className="fixed inset-x-4 top-3 z-60 mx-auto w-fit print:hidden">
        {isStopped ? (
          <Notice tone="warning" className="shadow-float">
            {t("offline")}
          </Notice>
        ) : null}
      </div>
    </>
  );
}
