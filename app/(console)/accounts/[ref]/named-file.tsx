"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import type { ButtonSize, ButtonTone } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import type { NamedFileProps } from "./named-file-dialog";

const loadDialog = () => import("./named-file-dialog").then((loaded) => loaded.NamedFileDialog);
const NamedFileDialog = deferred(loadDialog);

/** Asks for a reason before it downloads the file at `href` with names in clear. */
export function NamedFile({ tone, size, ...asked }: NamedFileProps & { tone: ButtonTone; size: ButtonSize }) {
  const t = useTranslations("privacy.file");
  const label = (
    <>
      <Icon of="eye" size={13} />
      {t("button")}
    </>
  );
  return (
    <DialogButton label={label} tone={tone} size={size} load={loadDialog}>
      {(close) => <NamedFileDialog {...asked} onClose={close} />}
    </DialogButton>
  );
}
