import { conflict } from "@/lib/errors/denial";

export const noteCan = {
  remove: ({ isHeld }: { isHeld: boolean }) => (isHeld ? conflict("casework-held") : null),
};
