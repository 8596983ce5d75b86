import { NotFoundView } from "@/components/not-found-view";

export default function NotFoundPage() {
  return (
    <main className="grid min-h-dvh place-items-center bg-surface">
      <NotFoundView />
    </main>
  );
}
