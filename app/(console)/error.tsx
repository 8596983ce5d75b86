"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { FailedView } from "@/components/layout/failed-view";
import { PageHeader } from "@/components/layout/page-header";
import type { UnreadBy } from "@/lib/errors/attempt";
import { useScreenTitle } from "./screen-titles";

type ScreenErrorProps = { error: unknown; retry: () => void; said?: string | null };

export default function ScreenError({ error, retry, said = null }: ScreenErrorProps) {
  const title = useScreenTitle();
  return (
    <>
      {title === null ? null : <PageHeader title={title} />}
      <div className="border-t border-line">
        <FailedView isScreen={title === null} error={error} retry={retry} said={said} />
      </div>
    </>
  );
}

/** Shows a failure that the server met while rendering. */
export function ScreenFailed({ digest, said }: UnreadBy) {
  const router = useRouter();
  const error = useMemo(() => Object.assign(new Error(digest), { digest }), [digest]);
  return <ScreenError error={error} said={said} retry={() => router.refresh()} />;
}
