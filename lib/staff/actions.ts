"use server";

import { z } from "zod";
import { ownAction } from "@/lib/action";
import { moveTo } from "./move";

export const switchTenant = ownAction("session:switch", z.string(), moveTo);
