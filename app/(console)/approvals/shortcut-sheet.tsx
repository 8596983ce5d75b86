"use client";

import { useTranslations } from "next-intl";
import { useTransition } from "react";
import { Dialog } from "@/components/ui/dialog";
import { useShortcutSetting } from "@/app/(console)/shell/list-keys";
import { setShortcuts } from "@/lib/preferences/actions";

const KEYS = [
  { name: "next", keys: ["J"] },
  { name: "previous", keys: ["K"] },
  { name: "open", keys: ["Enter"] },
  { name: "authorise", keys: ["A"] },
  { name: "refuse", keys: ["R"] },
  { name: "help", keys: ["?"] },
] as const;

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const t = useTranslations();
  const { isOn, choose: hold } = useShortcutSetting();
  const [, startTransition] = useTransition();
  const choose = (chosen: boolean) => {
    const form = new FormData();
    form.set("choice", chosen ? "on" : "off");
    startTransition(async () => {
      hold(chosen);
      await setShortcuts(form);
    });
  };
  return (
    <Dialog
      title={t("approvals.shortcuts")}
      description={t("approvals.shortcutsBody")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <div className="px-5 pb-5">
        <dl className="divide-y divide-line border-y border-line">
          {KEYS.map(({ name, keys }) => (
            <div key={name} className="flex min-h-9 items-center justify-between gap-3">
              <dt>{t(`approvals.keys.${name}`)}</dt>
              <dd>
                {keys.map((key) => (
                  <kbd
                    key={key}
                    className="rounded-sm border border-line-strong bg-canvas px-1.5 py-0.5 font-mono text-sm"
                  >
                    {key}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <label className="mt-3 flex items-center gap-2">
          <input
            type="checkbox"
            defaultChecked={isOn}
            onChange={(event) => choose(event.target.checked)}
            className="size-4 accent-accent"
          />
          {t("approvals.shortcutsOn")}
        </label>
      </div>
    </Dialog>
  );
}
