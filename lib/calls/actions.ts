"use server";

import { z } from "zod";
import { action, stepUpAction } from "@/lib/action";
import { checkToken, revokeOwnToken } from "./own-token";

export const checkAccessToken = action("settings:manage", z.null(), checkToken);
export const revokeAccessToken = stepUpAction("settings:manage", z.null(), revokeOwnToken);
