import { z } from "zod";
import { lenient, SearchText } from "@/lib/text/filter";

export const HelpFilter = z.object({ search: lenient(SearchText) });
