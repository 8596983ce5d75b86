"use client";

import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/form/dialog-button";
import { deferred } from "@/components/layout/deferred";
import { Icon } from "@/components/ui/icons";

const loadDialog = () => import("./follow-dialog").then((loaded) => loaded.FollowDialog);
const FollowDialog = deferred(loadDialog);

export function FollowButton({ denial }: { denial: string | null }) {
  const t = useTranslations("onboarding");
  const label = (
    <>
      <Icon of="plus" size={15} />
      {t("follow")}
    </>
  );
  return (
    <DialogButton label={label} denial={denial} load={loadDialog}>
      {(close) => <FollowDialog onClose={close} />}
    </DialogButton>
  );
}
