"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";
import { useSelection } from "@/components/table/use-selection";
import { Button } from "@/components/ui/button";
import type { ApprovalRow } from "@/lib/approvals/queries";

const loadDialog = () => import("./refuse-many-dialog");
const RefuseManyDialog = deferred(() => loadDialog().then((loaded) => loaded.RefuseManyDialog));

const linkTo = (id: string) => document.querySelector<HTMLElement>(`a[data-approval][href="/approvals/${id}"]`);

/** After the first that was refused, else from the top. */
export function nextToDecide(order: readonly string[], refused: readonly string[]): string | null {
  const at = order.findIndex((id) => refused.includes(id));
  const others = [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0))];
  return others.find((id) => !refused.includes(id)) ?? null;
}

type Refusing = { rows: readonly ApprovalRow[]; list: string; onDone: () => void };

/** Several requests refused at once; the focus then goes to the next one to decide. */
export function useRefusing({ rows, list, onDone }: Refusing) {
  const t = useTranslations("approvals.many");
  const order = rows.flatMap(({ id, isRefusable }) => (isRefusable ? [id] : []));
  const selection = useSelection(order, list);
  const chosen = order.filter(selection.isOn);
  const [isOpen, setOpen] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const [heir, setHeir] = useState<string | null>(null);

  useEffect(() => {
    if (heir === null) return undefined;
    // Waits until the dialog has returned the focus.
    const timer = setTimeout(() => (linkTo(heir) ?? document.querySelector<HTMLElement>("main h1"))?.focus(), 0);
    return () => clearTimeout(timer);
  }, [heir]);

  const done = (sentence: string) => {
    setOpen(false);
    setSaid(sentence);
    setHeir(nextToDecide(order, chosen) ?? "");
    selection.clear();
    onDone();
  };
  const bar =
    chosen.length === 0 ? null : (
      <section
        aria-label={t("bar")}
        className="sticky bottom-0 z-2 flex flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-2.5"
      >
        <p aria-live="polite" className="mr-auto">
          {t("selected", { count: chosen.length })}
        </p>
        <Button onClick={selection.clear}>{t("clear")}</Button>
        <Button tone="negative" onClick={() => setOpen(true)} onPointerEnter={() => void loadDialog()}>
          {t("refuse")}
        </Button>
      </section>
    );
  return {
    selection: order.length === 0 ? null : selection,
    overlays: (
      <>
        {bar}
        {isOpen ? <RefuseManyDialog ids={chosen} onClose={() => setOpen(false)} onDone={done} /> : null}
        <Confirmation onDismiss={() => setSaid(null)}>{said}</Confirmation>
      </>
    ),
  };
}
