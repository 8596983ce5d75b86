"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useOpenReason } from "@/app/(console)/privacy/use-open-reason";
import { deferred } from "@/components/layout/deferred";
import { followDownload } from "@/components/layout/save-file";
import { useAction } from "@/components/session/use-action";
import { Button, type ButtonSize, type ButtonTone } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { nameAccountFile } from "@/lib/accounts/actions";
import type { WantedFile } from "./named-file-dialog";

const loadDialog = () => import("./named-file-dialog").then((loaded) => loaded.NamedFileDialog);
const NamedFileDialog = deferred(loadDialog);

/** `name`: needed when a page has several of them. */
type NamedFileProps = WantedFile & { href: string; name?: string; tone: ButtonTone; size: ButtonSize };

/** Downloads the file at `href` with names in clear, after a reason for this customer, told once in ten minutes. */
export function NamedFile({ tone, size, accountRef, file, href, name }: NamedFileProps) {
  const t = useTranslations("privacy.file");
  const reason = useOpenReason({ kind: "account", id: accountRef });
  const { pending, failure, run } = useAction(nameAccountFile);
  const [isAsking, setAsking] = useState(false);
  const take = ({ revealId }: { revealId: string }) => followDownload(`${href}&names=${revealId}`, "");
  const ask = () => {
    if (!reason.isOpen()) return setAsking(true);
    run({ ref: accountRef, file }, take, ({ kind }) => {
      if (kind !== "forbidden") return;
      reason.close();
      setAsking(true);
    });
  };
  return (
    <>
      <Button
        tone={tone}
        size={size}
        isBusy={pending}
        aria-label={name}
        onClick={ask}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        <Icon of="eye" size={13} />
        {t("button")}
      </Button>
      {isAsking ? (
        <NamedFileDialog
          accountRef={accountRef}
          file={file}
          onClose={() => setAsking(false)}
          onNamed={(named) => {
            reason.open();
            setAsking(false);
            take(named);
          }}
        />
      ) : null}
      {failure === null || isAsking ? null : (
        <span role="alert" className="text-sm text-negative">
          {failure.message}
        </span>
      )}
    </>
  );
}
