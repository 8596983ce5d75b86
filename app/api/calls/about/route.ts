import { callsFor } from "@/lib/calls/queries";
import { AboutFilter } from "@/lib/calls/inputs";
import { route } from "@/lib/query";

export const GET = route((search) => {
  const { kind, id } = AboutFilter.parse(Object.fromEntries(search));
  return callsFor[kind].answer(id);
});
