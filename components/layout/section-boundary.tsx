"use client";

// Not by way of next/error, which brings along the error page of the pages router: 3 kB on each screen with a part of its own.
import { catchError } from "next/dist/client/components/catch-error";
import { FailedView } from "./failed-view";

/** Keeps the failure of one part of a screen in that part's place. */
export const SectionBoundary = catchError((_props: object, { error, retry }) => (
  <FailedView error={error} retry={retry} />
));
