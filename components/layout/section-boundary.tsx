"use client";

// next/error would bring the pages router's error page: 3 kB on each screen.
import { catchError } from "next/dist/client/components/catch-error";
import { FailedView } from "./failed-view";

export const SectionBoundary = catchError((_props: object, { error, retry }) => (
  <FailedView error={error} retry={retry} />
));
