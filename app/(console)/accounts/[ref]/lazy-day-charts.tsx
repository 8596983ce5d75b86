"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** Drawn in the browser alone: Next hides a streamed part of an SVG with an inline style, which our policy blocks. */
export const LazyDayCharts = dynamic(() => import("./day-charts").then((loaded) => loaded.DayCharts), {
  ssr: false,
  loading: () => <Skeleton className="h-103.25" />,
});
