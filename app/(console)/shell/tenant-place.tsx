"use client";

import dynamic from "next/dynamic";

/** The menu of tenants, whose code only those load who have several. */
export const TenantPlace = dynamic(() => import("./tenant-menu").then((loaded) => loaded.TenantMenu));
