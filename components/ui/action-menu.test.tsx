import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ActionMenu } from "./action-menu";

const unopened = () => {
  throw new Error("nobody opened it");
};

it("shows links and dialogs without loading them, and says why one is denied", () => {
  const items = [
    { label: "Elsewhere", href: "/elsewhere" },
    { label: "Trade", load: unopened, Dialog: unopened },
    { label: "Import", denial: "Finance alone", load: unopened, Dialog: unopened },
  ];
  const shown = renderToStaticMarkup(<ActionMenu label="More" items={items} />);
  const panel = /popoverTarget="(?<id>[^"]+)"/i.exec(shown)?.groups?.["id"];
  expect(shown).toContain(`id="${panel}" popover="auto"`);
  expect(shown).toMatch(/<a [^>]*href="\/elsewhere"[^>]*>Elsewhere<\/a>/);
  expect(shown).toMatch(/aria-disabled="true"[^>]*>Import<\/button>.*Finance alone/);
});
