"use server";

import { action } from "@/lib/action";
import { LookUp, lookUp } from "./look-up";

export const lookUpAccount = action("accounts:read", LookUp, lookUp);
