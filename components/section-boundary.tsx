"use client";

import { catchError } from "next/error";
import { FailedView } from "@/components/failed-view";

/** Keeps the failure of one part of a screen in that part's place. */
export const SectionBoundary = catchError((_props: object, { error, retry }) => (
  <FailedView error={error} retry={retry} />
));
