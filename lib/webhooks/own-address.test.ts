import { beforeEach, describe, expect, it } from "vitest";
import { givenEnv } from "@/test/support/console";
import { isOwnAddress, ownAddressOf } from "./own-address";

const OURS = "https://desk.example/api/hooks/aurora";

describe("the address that a subscription names", () => {
  beforeEach(() => void givenEnv({ publicUrl: new URL("https://desk.example") }));

  it("is ours by PUBLIC_URL and the tenant, with what a Client_ID holds encoded", () => {
    expect(ownAddressOf("aurora").href).toBe(OURS);
    expect(ownAddressOf("aurora/s a").href).toBe("https://desk.example/api/hooks/aurora%2Fs%20a");
  });

  it.each([OURS, `${OURS}/`, `${OURS}?from=1`, "https://DESK.example:443/api/hooks/aurora//"])(
    "reaches this console: %s",
    (url) => expect(isOwnAddress(url, "aurora")).toBe(true),
  );

  it.each([
    "https://erp.example/api/hooks/aurora",
    "https://desk.example.evil.example/api/hooks/aurora",
    "http://desk.example/api/hooks/aurora",
    "https://desk.example:8443/api/hooks/aurora",
    "https://desk.example/api/hooks/boreal",
    "https://desk.example/api/hooks/Aurora",
    "https://desk.example/api/hooks/aurora/more",
    "https://desk.example/api/hooks/aurora%zz",
    "https://desk.example/",
    "https://",
  ])("does not reach this console: %s", (url) => expect(isOwnAddress(url, "aurora")).toBe(false));
});

it("is ours by any name of this machine, at its port", () => {
  givenEnv({ publicUrl: new URL("http://localhost:3000") });
  expect(isOwnAddress("http://127.0.0.1:3000/api/hooks/aurora", "aurora")).toBe(true);
  expect(isOwnAddress("http://localhost:3001/api/hooks/aurora", "aurora")).toBe(false);
});
