"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { caseCan } from "@/lib/kyc/can";
import type { KycRow } from "@/lib/kyc/queries";
import type { Decision } from "@/app/(console)/kyc/use-deciding";
import { moveInRows } from "@/components/ui/keys";
import { releaseKeys, showList, takeArrival, useKeys } from "./use-keys";
import type { Triage } from "./use-triage";

const rowElements = () => [...document.querySelectorAll<HTMLElement>("[data-case]")];
const linkIn = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>("a.row-link");

function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-case]") ?? null;
}

function useArrival(rows: readonly KycRow[]): void {
  // Must run before the visible list replaces the remembered one.
  useEffect(() => {
    releaseKeys();
    const arrival = takeArrival(rowElements().map((row) => row.dataset["case"] ?? ""));
    if (arrival !== null) linkIn(rowElements().find((row) => row.dataset["case"] === arrival))?.focus();
  }, []);
  const order = rows.map(({ kycUUID }) => kycUUID).join(" ");
  useEffect(() => {
    showList(`${location.pathname}${location.search}`, order.split(" "));
  }, [order]);
}

type QueueKeys = {
  rows: readonly KycRow[];
  denial: string | null;
  triage: Triage;
};

/** Each row names its case in `data-case`. */
export function useQueueKeys({ rows, denial, triage }: QueueKeys): void {
  const t = useTranslations("triage.keys");
  const kyc = useTranslations("kyc");
  const { say, begin, handing, next } = triage;
  const allowed = (act: () => void) => () => (denial === null ? act() : say(denial, "hint"));
  const withCase = (act: (row: KycRow) => void) =>
    allowed(() => {
      const id = currentRow()?.dataset["case"];
      const row = rows.find(({ kycUUID }) => kycUUID === id);
      if (row === undefined) say(t("noCase"), "hint");
      else act(row);
    });
  const decide = (decision: Decision) => (row: KycRow) =>
    caseCan.choose(row, decision) === null ? begin(row, decision) : say(kyc("sameDecision"), "hint");
  useKeys({
    j: () => moveInRows(1),
    k: () => moveInRows(-1),
    a: withCase(decide("APPROVED")),
    r: withCase(decide("REPROVED")),
    c: withCase(handing.toggle),
    n: allowed(next.take),
    "?": triage.showHelp,
  });
  useArrival(rows);
}
