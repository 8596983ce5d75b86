"use server";

import { action } from "@/lib/action";
import { find, SearchQuery } from "./find";

export const search = action("accounts:read", SearchQuery, find);
