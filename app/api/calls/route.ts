import { listCalls } from "@/lib/calls/queries";
import { CallFilter } from "@/lib/calls/rules";
import { route } from "@/lib/query";

export const GET = route((search) => listCalls.answer(CallFilter.parse(Object.fromEntries(search))));
