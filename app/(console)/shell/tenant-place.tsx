"use client";

import dynamic from "next/dynamic";

/** Only loaded with several tenants. */
export const TenantPlace = dynamic(() => import("./tenant-menu").then((loaded) => loaded.TenantMenu));
