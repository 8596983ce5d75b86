"use client";

import dynamic from "next/dynamic";

/** The reminder, for whose browser needs it alone: hardly anybody at work is away. */
export const AwayNotice = dynamic(() => import("./away-banner").then((loaded) => loaded.AwayBanner));
