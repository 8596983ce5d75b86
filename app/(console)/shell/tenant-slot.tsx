"use client";

import dynamic from "next/dynamic";

export const TenantSlot = dynamic(() => import("./tenant-menu").then((loaded) => loaded.TenantMenu));
