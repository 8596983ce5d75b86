import { expect, test } from "vitest";
import limits from "./size.json";
import { heavier, nodesOf, screens } from "./size.mjs";

test("every screen has a line", () => {
  expect(Object.keys(limits).toSorted()).toEqual(screens());
});

test("names a page over its limits, with a margin for names and times", () => {
  const kept = { "/kyc": { js: 100, html: 10, nodes: 300 } };
  expect(heavier([{ route: "/kyc", js: 101, html: 10.4, nodes: 310 }], kept)).toEqual([]);
  expect(heavier([{ route: "/kyc", js: 103, html: 11, nodes: 320 }], kept)).toEqual([
    "/kyc has 103 kB of JavaScript; at most 100 are kept in size.json.",
    "/kyc has 11 kB of HTML; at most 10 are kept in size.json.",
    "/kyc has 320 nodes; at most 300 are kept in size.json.",
  ]);
});

test("names a page that nothing is kept of", () => {
  expect(heavier([{ route: "/new", js: 1 }], {})).toEqual([
    "/new has no line in size.json; npm run size -- --keep writes one.",
  ]);
});

test("counts a part that came late in its place, and no script's text", () => {
  const page =
    '<html><main><!--$?--><template id="B:0"></template><p>…</p><!--/$--></main>' +
    '<div hidden id="S:0"><h2>Later</h2></div><script>"<b>"</script></html>';
  expect(nodesOf(page)).toBe(4);
});
