"use client";

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
