"use client";

import dynamic from "next/dynamic";

/** For the few to whom it applies. */
export const UnconfirmedNotice = dynamic(() =>
  import("./unconfirmed-accounts").then((loaded) => loaded.UnconfirmedAccounts),
);
