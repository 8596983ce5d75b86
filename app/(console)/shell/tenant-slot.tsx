"use client";

import dynamic from "next/dynamic";

/** Only loaded with several tenants. */
export const TenantSlot = dynamic(() => import("./tenant-menu").then((loaded) => loaded.TenantMenu));
