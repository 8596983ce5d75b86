"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { FailedView } from "@/components/layout/failed-view";
import { PageHeader } from "@/components/layout/page-header";
import { useScreenTitle } from "./screen-titles";

export default function ScreenError({ error, retry }: { error: unknown; retry: () => void }) {
  const title = useScreenTitle();
  return (
    <>
      {title === null ? null : <PageHeader title={title} />}
      <div className="border-t border-line">
        <FailedView isScreen={title === null} error={error} retry={retry} />
      </div>
    </>
  );
}

/** The same of a failure that the server knew while it rendered. */
export function ScreenFailed({ digest }: { digest: string }) {
  const router = useRouter();
  const error = useMemo(() => Object.assign(new Error(digest), { digest }), [digest]);
  return <ScreenError error={error} retry={() => router.refresh()} />;
}
