import { listCalls } from "@/lib/calls/queries";
import { CallFilter } from "@/lib/calls/inputs";
import { route } from "@/lib/query";
import { listNames } from "@/lib/search/queries";

export const GET = route(async (search) => {
  const calls = await listCalls.answer(CallFilter.parse(Object.fromEntries(search)));
  return { ...calls, names: await listNames.answer(calls.rows.flatMap(({ object }) => object ?? [])) };
});
