"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { setShortcuts } from "@/lib/preferences/actions";
import { useShortcutSetting } from "./shortcut-setting";

const EVERYWHERE = [
  { name: "find", keys: ["/"] },
  { name: "help", keys: ["?", "Esc"] },
] as const;

const GROUPS = {
  cases: [
    { name: "move", keys: ["J", "K", "Enter", "U"] },
    { name: "work", keys: ["A", "R", "C", "N", "Send"] },
    ...EVERYWHERE,
  ],
  lists: [{ name: "move", keys: ["NextRow", "RowBefore", "OpenRow"] }, ...EVERYWHERE],
  approvals: [
    { name: "move", keys: ["NextRequest", "RequestBefore", "OpenRequest"] },
    { name: "work", keys: ["Authorise", "Refuse", "Send"] },
    ...EVERYWHERE,
  ],
} as const;

const SIGNS = {
  NextRow: "J",
  RowBefore: "K",
  OpenRow: "Enter",
  NextRequest: "J",
  RequestBefore: "K",
  OpenRequest: "Enter",
  Authorise: "A",
  Refuse: "R",
  Send: "Ctrl Enter",
} as const;
const signOf = (key: string) => Object.entries(SIGNS).find(([name]) => name === key)?.[1] ?? key;

type ShortcutSheetProps = { of: keyof typeof GROUPS; onClose: () => void };

/** Focus goes to the list, so that Enter does not switch the keys off. */
const takeFocus = (list: HTMLElement | null) => list?.focus();

export function ShortcutSheet({ of, onClose }: ShortcutSheetProps) {
  const t = useTranslations("triage.keys");
  const common = useTranslations("common");
  const help = useTranslations("help");
  const { isOn, choose } = useShortcutSetting();
  const [isPending, startTransition] = useTransition();
  const toggle = () => {
    const form = new FormData();
    form.set("choice", isOn ? "off" : "on");
    startTransition(async () => {
      choose(!isOn);
      await setShortcuts(form);
    });
  };
  return (
    <Dialog
      title={t("title")}
      description={t(of === "cases" ? "body" : of === "lists" ? "bodyLists" : "bodyApprovals")}
      closeLabel={common("close")}
      onClose={onClose}
    >
      <div ref={takeFocus} tabIndex={-1} className="px-5 pb-4 outline-none">
        {GROUPS[of].map(({ name, keys }) => (
          <section key={name} aria-labelledby={`keys-${name}`} className="pb-3">
            <h3 id={`keys-${name}`} className="pb-1 text-sm font-medium text-muted">
              {t(`groups.${name}`)}
            </h3>
            <dl className="divide-y divide-line border-y border-line">
              {keys.map((key) => (
                <div key={key} className="flex items-center justify-between gap-4 py-1.5">
                  <dt>{t(`does.${key}`)}</dt>
                  <dd>
                    <Key>{signOf(key)}</Key>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <p className="text-sm text-muted">{t("never")}</p>
        <Link href="/help" prefetch={false} onClick={onClose} className="text-sm font-medium text-accent underline">
          {help("title")}
        </Link>
      </div>
      <footer className="sticky bottom-0 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-raised px-5 py-3">
        <p aria-live="polite">{t(isOn ? "isOn" : "isOff")}</p>
        <Button isBusy={isPending} onClick={isPending ? undefined : toggle}>
          {t(isOn ? "switchOff" : "switchOn")}
        </Button>
      </footer>
    </Dialog>
  );
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-grid h-5.5 min-w-5.5 place-items-center rounded-sm border border-line-strong bg-canvas px-1.5 font-sans text-xs font-medium">
      {children}
    </kbd>
  );
}
