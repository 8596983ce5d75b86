"use client";

import { NotFoundView } from "@/components/layout/empty-view";

export default function NotFoundPage() {
  return (
    <main className="grid min-h-dvh place-items-center bg-surface">
      <NotFoundView />
    </main>
  );
}
