"use client";

import { useTranslations } from "next-intl";
import { Fragment, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Failure } from "@/lib/errors/result";

/** A colleague's change does not change what this person writes: `seen` stays as it was opened until `accept`. */
export function useSeen<Seen>(now: Seen, versionOf: (one: Seen) => string, failure: Failure | null) {
  const [seen, setSeen] = useState(now);
  const [met, setMet] = useState<Failure | null>(null);
  const accept = () => {
    setSeen(now);
    setMet(failure);
  };
  return {
    seen,
    hasMoved: versionOf(now) !== versionOf(seen),
    error: failure === met ? null : failure,
    accept,
  };
}

type ChangedNoticeProps = {
  facts: readonly { name: string; value: string }[];
  onTakeOver: () => void;
  onKeep: () => void;
};

/** What a colleague made of it meanwhile, before anything is written over it. */
export function ChangedNotice({ facts, onTakeOver, onKeep }: ChangedNoticeProps) {
  const t = useTranslations("common.changed");
  return (
    <Notice tone="warning" live="polite">
      <p>{t("body")}</p>
      <dl className="my-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">
              <bdi>{value}</bdi>
            </dd>
          </Fragment>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onKeep}>
          {t("keepMine")}
        </Button>
        <Button size="small" onClick={onTakeOver}>
          {t("takeOver")}
        </Button>
      </div>
    </Notice>
  );
}
