"use client";

// next/error would bring the pages router's error page: 3 kB on each screen.
import { catchError } from "next/dist/client/components/catch-error";
import { FailedView } from "./failed-view";

/** Around everything: what is amiss with the frame itself. */
export const PageBoundary = catchError((_props: object, { error, retry }) => (
  <main className="grid min-h-dvh place-items-center bg-surface">
    <FailedView isScreen error={error} retry={retry} />
  </main>
));

export const SectionBoundary = catchError((_props: object, { error, retry }) => (
  <FailedView error={error} retry={retry} />
));
