import { question } from "@/lib/action";
import { find, SearchQuery } from "./find";

export const search = question("accounts:read", SearchQuery, find);
