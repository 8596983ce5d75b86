"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { BulkDeed } from "@/app/(console)/kyc/queue-bulk";
import { deferred } from "@/components/layout/deferred";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";
import { TAGS_MAX } from "@/lib/kyc/view";

const BulkDialog = deferred(() => import("@/app/(console)/kyc/queue-bulk").then((loaded) => loaded.BulkDialog));

type CaseTagsProps = { kycUUID: string; tags: readonly string[]; mayTag: boolean };

export function CaseTags({ kycUUID, tags, mayTag }: CaseTagsProps) {
  const t = useTranslations("kycQueue");
  const [deed, setDeed] = useState<Exclude<BulkDeed, "assign"> | null>(null);
  const [said, setSaid] = useState("");
  const done = (sentence: string) => {
    setDeed(null);
    setSaid(sentence);
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {tags.length === 0 ? null : (
        <ul aria-label={t("tags")} className="flex flex-wrap items-center gap-1.5">
          {tags.map((tag) => (
            <li key={tag}>
              <Badge tone="neutral" isDotted={false}>
                {tag}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {!mayTag || tags.length >= TAGS_MAX ? null : (
        <Button size="small" tone="quiet" onClick={() => setDeed("tag")}>
          <Icon of="tag" size={13} />
          {t("addTag")}
        </Button>
      )}
      {!mayTag || tags.length === 0 ? null : (
        <Button size="small" tone="quiet" onClick={() => setDeed("untag")}>
          {t("removeTag")}
        </Button>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      {deed === null ? null : (
        <BulkDialog
          deed={deed}
          selection={{ ids: [kycUUID] }}
          count={1}
          isExact
          onClose={() => setDeed(null)}
          onDone={done}
        />
      )}
    </div>
  );
}
