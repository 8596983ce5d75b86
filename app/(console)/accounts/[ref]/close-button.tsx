"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Confirmation } from "@/components/layout/confirmation";
import { Button, buttonClass } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred";
import { DeniedButton } from "@/components/ui/denied-button";
import { giveFocusBack } from "@/components/ui/give-focus-back";
import { CLOSING_NOTICE } from "./closing-notice";

const loadDialog = () => import("./close-dialog");
const preload = () => void loadDialog();
const CloseDialog = deferred(() => loadDialog().then((loaded) => loaded.CloseDialog));

type CloseButtonProps = {
  accountRef: string;
  /** Why this person cannot, or nobody can now. */
  denial: string | null;
  /** Nobody has decided about a closure since: what was done here is still the last word. */
  isLast: boolean;
};

/** The way to close the account. */
export function CloseButton({ accountRef, denial, isLast }: CloseButtonProps) {
  const t = useTranslations("closing");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [wasRefused, setRefused] = useState(false);
  const [done, setDone] = useState<"proposed" | "closed" | null>(null);
  const isBack = useRef(false);

  const close = () => {
    setOpen(false);
    isBack.current = wasRefused;
    // Not before: somebody else may have closed it, and the refusal's sentence would go with this button.
    if (wasRefused) router.refresh();
    setRefused(false);
  };
  return (
    <>
      {denial === null ? (
        <OpenButton wasRefused={isBack} onOpen={() => setOpen(true)} />
      ) : (
        <DeniedButton reason={denial} className={buttonClass("plain")}>
          {t("open")}
        </DeniedButton>
      )}
      {isOpen ? (
        <CloseDialog
          accountRef={accountRef}
          onClose={close}
          onDone={(what) => {
            setOpen(false);
            setRefused(false);
            setDone(what);
            router.refresh();
          }}
          onRefused={() => setRefused(true)}
        />
      ) : null}
      <Confirmation onDismiss={() => setDone(null)}>{done === null || !isLast ? null : t(done)}</Confirmation>
    </>
  );
}

type OpenButtonProps = {
  /** Somebody came back to it with a refusal, and the page is asked anew. */
  wasRefused: RefObject<boolean>;
  onOpen: () => void;
};

/** Whoever came back to it and sees it go, for the closure is under way or done, is taken to what is said of that. */
function OpenButton({ wasRefused, onOpen }: OpenButtonProps) {
  const t = useTranslations("closing");
  useEffect(
    () => () => {
      if (wasRefused.current && document.activeElement === document.body) {
        giveFocusBack(document.getElementById(CLOSING_NOTICE));
      }
    },
    [wasRefused],
  );
  return (
    <Button onClick={onOpen} onFocus={preload} onPointerEnter={preload}>
      {t("open")}
    </Button>
  );
}
