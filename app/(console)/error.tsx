"use client";

import { FailedView } from "@/components/failed-view";

export default function ScreenError({ error, retry }: { error: unknown; retry: () => void }) {
  return <FailedView isScreen error={error} retry={retry} />;
}
