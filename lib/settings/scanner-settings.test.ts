import { expect, it } from "vitest";
import { SCANNER_SETTINGS } from "./env";

const read = (text: string) => SCANNER_SETTINGS.CLAMD_ADDRESS.safeParse(text);

it("names clamd by its socket, or by a port of this machine", () => {
  expect(read("/run/clamav/clamd.ctl").data).toEqual({ path: "/run/clamav/clamd.ctl" });
  expect(read("localhost:3310").data).toEqual({ host: "localhost", port: 3310 });
  expect(read("[::1]:3310").data).toEqual({ host: "::1", port: 3310 });
});

it.each(["clamd.example:3310", "localhost", "localhost:0", "localhost:70000", "clamd.ctl"])(
  "refuses the scanner setting %s",
  (text) => {
    expect(read(text).error?.issues[0]?.message).toContain("must be the path of clamd's socket");
  },
);
