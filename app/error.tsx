"use client";

import { FailedView } from "@/components/layout/failed-view";

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-surface">
      <FailedView isScreen error={error} retry={retry} />
    </main>
  );
}
