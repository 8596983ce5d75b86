"use client";

import dynamic from "next/dynamic";

/** For the few to whom it applies; it comes from the server as markup like the rest. */
export const UnsettledNotice = dynamic(() => import("./unsettled-accounts").then((loaded) => loaded.UnsettledAccounts));
