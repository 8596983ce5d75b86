"use client";

import { FailedView } from "@/components/failed-view";

export default function ScreenError({ error, retry }: { error: unknown; retry: () => void }) {
  return <FailedView error={error} retry={retry} />;
}
