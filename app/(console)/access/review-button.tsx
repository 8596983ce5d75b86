"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DialogButton } from "@/components/form/dialog-button";
import { Confirmation } from "@/components/layout/confirmation";
import { deferred } from "@/components/layout/deferred";

const loadDialog = () => import("./review-dialog").then((loaded) => loaded.ReviewDialog);
const ReviewDialog = deferred(loadDialog);

type ReviewButtonProps = { seen: string | null; today: string; denial: string | null };

export function ReviewButton({ seen, today, denial }: ReviewButtonProps) {
  const t = useTranslations("access");
  const router = useRouter();
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <DialogButton label={t("review")} tone="primary" denial={denial} load={loadDialog}>
        {(close) => (
          <ReviewDialog
            seen={seen}
            today={today}
            onClose={close}
            onDone={() => {
              close();
              setDone(t("done"));
              router.refresh();
            }}
          />
        )}
      </DialogButton>
      <Confirmation onDismiss={() => setDone(null)}>{done}</Confirmation>
    </>
  );
}
