"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";

type ConfirmationProps = {
  children: ReactNode;
  isAmiss?: boolean;
  onDismiss: () => void;
};

export function Confirmation({ children, isAmiss = false, onDismiss }: ConfirmationProps) {
  const t = useTranslations("common");
  const icon = isAmiss ? "triangle-alert" : "check";
  return (
    <div aria-live="polite" className="confirmation">
      {children ? (
        <div className="pointer-events-auto flex max-w-xl items-center gap-2.5 rounded-lg bg-ink py-2 pr-2 pl-3.5 text-surface shadow-float">
          <Icon of={icon} size={15} className="shrink-0" />
          <p>{children}</p>
          <button
            type="button"
            aria-label={t("close")}
            onClick={onDismiss}
            className="grid size-6 shrink-0 place-items-center rounded-sm outline-surface hover:bg-surface/15"
          >
            <Icon of="x" size={14} />
          </button>
        </div>
      ) : null}
    </div>
  );
}

export function DoneNotice({ said }: { said: string }) {
  const router = useRouter();
  const pathname = usePathname();
  const [isShown, setShown] = useState(true);
  const dismiss = () => {
    setShown(false);
    router.replace(pathname, { scroll: false });
  };
  return <Confirmation onDismiss={dismiss}>{isShown ? said : null}</Confirmation>;
}
