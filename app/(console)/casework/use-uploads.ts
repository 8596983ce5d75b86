"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useDesk } from "@/components/desk";
import { FILE_MOST_BYTES } from "@/lib/casework-terms";
import { newIntentId } from "@/lib/intent";
import type { Failure } from "@/lib/result";
import { sendFile } from "./send-file";
import { createUploads, type Upload } from "./uploads";

/** The files on their way from this place of the page to `address`, and how many arrived. */
export function useUploads(address: string) {
  const t = useTranslations();
  const router = useRouter();
  const desk = useDesk();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [arrived, setArrived] = useState(0);

  const refuse = ({ size }: File): Failure | null => {
    if (size > FILE_MOST_BYTES) return { kind: "invalid", message: t("casework.fileTooLarge") };
    return size === 0 ? { kind: "invalid", message: t("casework.fileEmpty") } : null;
  };
  const [line] = useState(() =>
    createUploads({
      newId: newIntentId,
      refuse,
      send: (id, file, onProgress) =>
        sendFile({ address, desk: desk.id, id, file, onProgress, unanswered: t("states.connectionLost") }),
      onChange: setUploads,
      onArrived: () => {
        setArrived((before) => before + 1);
        router.refresh();
      },
      onFailed: ({ kind }) => {
        if (kind === "conflict" || kind === "unauthenticated") desk.look();
      },
    }),
  );
  return { uploads, line, arrived, isBusy: uploads.some(({ state }) => state !== "failed") };
}
