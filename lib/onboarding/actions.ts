"use server";

import { action } from "@/lib/action";
import { check, Checking, follow, Following } from "./follow";

export const followOnboarding = action("onboarding:follow", Following, follow);
export const checkOnboarding = action("onboarding:read", Checking, check);
