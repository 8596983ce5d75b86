"use client";

import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { keyOf } from "@/components/ui/keys";
import { deferred } from "@/components/layout/deferred";
import type { StatementRow } from "@/lib/accounts/queries";

const loadDialog = () => import("./entry-dialog");
const EntryDialog = deferred(() => loadDialog().then((loaded) => loaded.EntryDialog));

const OpenEntry = createContext<(at: number) => void>(() => undefined);

export function EntryOpener({ at, children }: { at: number; children: ReactNode }) {
  const open = useContext(OpenEntry);
  return (
    <button
      type="button"
      dir="auto"
      aria-haspopup="dialog"
      onClick={() => open(at)}
      onFocus={() => void loadDialog()}
      onPointerEnter={() => void loadDialog()}
      className="row-link max-w-full truncate text-start @max-medium:whitespace-normal"
    >
      {children}
    </button>
  );
}

type EntryPanelProps = { accountRef: string; entries: readonly StatementRow[]; children: ReactNode };

type Place = { at: number; id: string };

function addressWith(id: string | null): string {
  const address = new URL(window.location.href);
  if (id === null || id === "") address.searchParams.delete("entry");
  else address.searchParams.set("entry", id);
  return `${address.pathname}${address.search}`;
}

const placeCalled = (id: string | null): Place | null => (id === null || id === "" ? null : { at: -1, id });

/** The open entry is in the URL, so it can be shared and survives a reload; the back button closes it. */
function useOpenEntry(entries: readonly StatementRow[]) {
  const asked = useSearchParams().get("entry");
  const [place, setPlace] = useState(() => placeCalled(asked));
  // The second of two quick key presses continues from where the first one led.
  const latest = useRef(place);
  const isPushed = useRef(false);
  const show = (next: Place | null) => {
    latest.current = next;
    setPlace(next);
  };
  const placeAt = (at: number): Place => ({ at, id: entries[at]?.transactionId ?? "" });
  const indexOf = ({ at, id }: Place) =>
    entries[at]?.transactionId === id ? at : entries.findIndex(({ transactionId }) => transactionId === id);

  const open = (at: number) => {
    const next = placeAt(at);
    show(next);
    isPushed.current = next.id !== "";
    if (isPushed.current) window.history.pushState(null, "", addressWith(next.id));
  };
  const placeBeside = (from: Place | null, step: 1 | -1): Place | null => {
    const at = from === null ? -1 : indexOf(from);
    return at === -1 || entries[at + step] === undefined ? null : placeAt(at + step);
  };
  const walk = (step: 1 | -1) => {
    const next = placeBeside(latest.current, step);
    if (next === null) return;
    show(next);
    window.history.replaceState(null, "", addressWith(next.id));
  };
  const close = () => {
    show(null);
    if (isPushed.current) window.history.back();
    else window.history.replaceState(null, "", addressWith(null));
    isPushed.current = false;
  };

  // Reads the real URL: the router may lag behind key presses.
  const follow = useEffectEvent((reached: string | null) => {
    const id = new URLSearchParams(window.location.search).get("entry");
    if (reached === id && (id ?? "") !== (latest.current?.id ?? "")) show(placeCalled(id));
  });
  useEffect(() => queueMicrotask(() => follow(asked)), [asked]);
  return {
    id: place?.id ?? null,
    at: place === null ? -1 : indexOf(place),
    isFirst: placeBeside(place, -1) === null,
    isLast: placeBeside(place, 1) === null,
    open,
    walk,
    close,
  };
}

export function EntryPanel({ accountRef, entries, children }: EntryPanelProps) {
  const t = useTranslations("statement");
  const { id, at, isFirst, isLast, open, walk, close } = useOpenEntry(entries);
  const isOpen = id !== null;
  const entry = entries[at];
  const walkByKey = useEffectEvent((event: KeyboardEvent) => {
    const key = keyOf(event);
    const step = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    walk(step);
  });

  useEffect(() => {
    if (!isOpen) return undefined;
    const press = (event: KeyboardEvent) => walkByKey(event);
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [isOpen]);

  return (
    <OpenEntry value={open}>
      {children}
      {isOpen ? (
        <EntryDialog
          accountRef={accountRef}
          id={id}
          entry={entry}
          position={entry === undefined ? t("entryApart") : t("position", { place: at + 1, total: entries.length })}
          walk={entry === undefined ? null : { isFirst, isLast, by: walk }}
          onClose={close}
        />
      ) : null}
    </OpenEntry>
  );
}
