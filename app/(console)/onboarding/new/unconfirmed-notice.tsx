"use client";

import dynamic from "next/dynamic";

export const UnconfirmedNotice = dynamic(() =>
  import("./unconfirmed-accounts").then((loaded) => loaded.UnconfirmedAccounts),
);
