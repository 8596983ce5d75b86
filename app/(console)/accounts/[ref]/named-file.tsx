"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Button, type ButtonSize, type ButtonTone } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";

const loadDialog = () => import("./named-file-dialog").then((loaded) => loaded.NamedFileDialog);
const NamedFileDialog = deferred(loadDialog);

export type NamedFileProps = { accountRef: string; file: string; href: string };

/** The file at `href` with names in clear: asked why first, as a reveal is. */
export function NamedFile({ tone, size, ...asked }: NamedFileProps & { tone: ButtonTone; size: ButtonSize }) {
  const t = useTranslations("privacy.file");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        tone={tone}
        size={size}
        onClick={() => setAsking(true)}
        onFocus={() => void loadDialog()}
        onPointerEnter={() => void loadDialog()}
      >
        <Icon of="eye" size={13} />
        {t("button")}
      </Button>
      {isAsking ? <NamedFileDialog {...asked} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
