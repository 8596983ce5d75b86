import { describe, expect, it } from "vitest";
import { shortAddress } from "@/lib/text/short";
import { groupsOf } from "./grouped-address";

const ETHEREUM = "0x52908400098527886E0F7030069857D2E4169EE7";
const BITCOIN = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

describe("an address people compare", () => {
  it.each([ETHEREUM, BITCOIN, "T", ""])("keeps every character when grouped: %s", (address) => {
    expect(
      groupsOf(address)
        .map(({ text }) => text)
        .join(""),
    ).toBe(address);
  });

  it("starts an address's groups after 0x, as other tools do", () => {
    expect(groupsOf(ETHEREUM).map(({ text }) => text)).toEqual([
      "0x",
      "5290",
      "8400",
      "0985",
      "2788",
      "6E0F",
      "7030",
      "0698",
      "57D2",
      "E416",
      "9EE7",
    ]);
  });

  it("shortens an address only when that omits something", () => {
    expect(shortAddress(ETHEREUM)).toBe("0x52908400…E4169EE7");
    expect(shortAddress("rShort")).toBe("rShort");
  });
});
