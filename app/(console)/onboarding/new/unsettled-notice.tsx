"use client";

import dynamic from "next/dynamic";

/** For the few to whom it applies. */
export const UnsettledNotice = dynamic(() => import("./unsettled-accounts").then((loaded) => loaded.UnsettledAccounts));
