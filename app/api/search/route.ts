import { search } from "@/lib/search/queries";

export const POST = search;
