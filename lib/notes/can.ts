import { conflict } from "@/lib/errors/denial";

/** What may be done with notes and files of a record; those of a held one stay as they are. */
export const noteCan = {
  remove: ({ isHeld }: { isHeld: boolean }) => (isHeld ? conflict("casework-held") : null),
};
