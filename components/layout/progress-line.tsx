"use client";

import { useTranslations } from "next-intl";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";

/** The address a plain click leads to within the console; null for any other click. */
function targetOf(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!isPlain || !(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download"))
    return null;
  return link.origin === location.origin ? `${link.pathname}${link.search}` : null;
}

/** A thin line at the top from a click on a link until the next page is there; the page left behind stays meanwhile. */
export function ProgressLine() {
  const t = useTranslations("common");
  const here = `${usePathname()}?${useSearchParams()}`;
  const [leaving, setLeaving] = useState<string | null>(null);
  useEffect(() => {
    const note = (event: MouseEvent) => {
      const target = targetOf(event);
      const isElsewhere = target !== null && target !== `${location.pathname}${location.search}`;
      setLeaving(isElsewhere ? here : null);
    };
    document.addEventListener("click", note);
    return () => document.removeEventListener("click", note);
  }, [here]);
  if (leaving !== here) return null;
  return <output aria-label={t("loading")} className="progress-line print:hidden" />;
}
