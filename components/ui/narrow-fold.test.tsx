import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NarrowFold } from "./narrow-fold";

const shown = (startsOpen: boolean) =>
  renderToStaticMarkup(
    <NarrowFold summary="Chart" below="medium" startsOpen={startsOpen}>
      Bars
    </NarrowFold>,
  );

it("holds its content at any width and folds it below the named one", () => {
  expect(shown(false)).toMatch(
    /<button [^>]*aria-expanded="false"[^>]*@medium:hidden[^>]*>Chart<.*<div id="[^"]+" class="@max-medium:hidden">Bars</,
  );
  expect(shown(true)).toMatch(/aria-expanded="true".*<div id="[^"]+">Bars</);
});
