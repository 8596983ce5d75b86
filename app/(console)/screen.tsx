import type { ReactNode } from "react";
import { RenderedFor } from "@/components/session/desk";
import { requireDesk } from "./desk";

/** Following a link renders the page alone, under a frame that may be another tenant's. */
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
