import type { ReactNode } from "react";
import { RenderedFor } from "@/components/session/desk";
import { requireDesk } from "./desk";

/**
 * A page of the console, marked with the desk it was read for: following a link renders the page alone, and the frame
 * around it may still be that of another tenant.
 */
export function screen<Props extends object>(Page: (props: Props) => Promise<ReactNode>) {
  return async function Screen(props: Props) {
    const desk = await requireDesk();
    return (
      <RenderedFor desk={desk.id}>
        <Page {...props} />
      </RenderedFor>
    );
  };
}
