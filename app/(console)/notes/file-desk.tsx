"use client";

import { useTranslations } from "next-intl";
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { deferred } from "@/components/layout/deferred";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { giveFocusBack } from "@/components/ui/give-focus-back";
import { Icon } from "@/components/ui/icons";
import { signOf } from "@/components/ui/keys";
import type { OpenedFile } from "./draw-file";

type Shown = { openId: string | null; open: (file: OpenedFile) => void };

const Desk = createContext<Shown | null>(null);

const loadPanel = () => import("./file-panel").then((loaded) => loaded.FilePanel);
const FilePanel = deferred(loadPanel);
const preload = () => void loadPanel();
const Dialog = deferred(() => import("@/components/ui/dialog").then((loaded) => loaded.Dialog));

/** As the layout's own breakpoint `wide`. */
const WIDE = "(min-width: 56.25rem)";

function followWidth(notify: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", notify);
  return () => query.removeEventListener("change", notify);
}

const useIsWide = () =>
  useSyncExternalStore(
    followWidth,
    () => matchMedia(WIDE).matches,
    () => true,
  );

/** A file opens beside what this holds, which stays in use; in a narrow window over it. */
export function FileDesk({ children }: { children: ReactNode }) {
  const [file, setFile] = useState<OpenedFile | null>(null);
  const opener = useRef<Element | null>(null);
  const isWide = useIsWide();
  const shown = useMemo(
    () => ({
      openId: file?.id ?? null,
      open: (one: OpenedFile) => {
        opener.current = document.activeElement;
        setFile(one);
      },
    }),
    [file],
  );
  const close = () => {
    setFile(null);
    giveFocusBack(opener.current);
  };
  return (
    <Desk value={shown}>
      <div className={cn(file !== null && isWide && "grid grid-cols-[minmax(0,1fr)_minmax(22rem,44%)] print:block")}>
        <div className="@container min-w-0">{children}</div>
        {file === null ? null : isWide ? (
          <Beside key={file.id} file={file} onClose={close} />
        ) : (
          <Over key={file.id} file={file} onClose={close} />
        )}
      </div>
    </Desk>
  );
}

type ShownFile = { file: OpenedFile; onClose: () => void };

function Beside({ file, onClose }: ShownFile) {
  const t = useTranslations("casework.viewer");
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (signOf(event) === "escape") onClose();
  });
  useEffect(() => {
    const shown = panel.current;
    const onKey = (event: KeyboardEvent) => press(event);
    heading.current?.focus();
    shown?.addEventListener("keydown", onKey);
    return () => shown?.removeEventListener("keydown", onKey);
  }, []);
  return (
    <aside
      ref={panel}
      aria-label={file.name}
      className="sticky top-0 flex h-dvh min-w-0 flex-col border-l border-line bg-surface print:hidden"
    >
      <header className="flex items-start gap-2 px-5 pt-4 pb-3">
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="text-md font-semibold wrap-anywhere outline-none">
            {file.name}
          </h2>
          <p className="mt-0.5 text-sm text-muted">{t("description")}</p>
        </div>
        <Button tone="quiet" size="small" aria-label={t("close")} title={t("close")} onClick={onClose}>
          <Icon of="x" size={14} />
        </Button>
      </header>
      <FilePanel file={file} />
    </aside>
  );
}

function Over({ file, onClose }: ShownFile) {
  const t = useTranslations("casework.viewer");
  return (
    <Dialog isDrawer title={file.name} description={t("description")} closeLabel={t("close")} onClose={onClose}>
      <FilePanel file={file} />
    </Dialog>
  );
}

export function OpenFile({ file }: { file: OpenedFile }) {
  const t = useTranslations("casework");
  const desk = use(Desk);
  if (desk === null) return null;
  return (
    <Button
      size="small"
      aria-label={t("openNamed", { name: file.name })}
      aria-expanded={desk.openId === file.id}
      className="aria-expanded:border-accent aria-expanded:bg-accent-tint"
      onClick={() => desk.open(file)}
      onFocus={preload}
      onPointerEnter={preload}
    >
      <Icon of="eye" size={13} />
      {t("open")}
    </Button>
  );
}
