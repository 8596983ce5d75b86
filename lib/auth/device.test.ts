import { describe, expect, it } from "vitest";
import { givenEnv } from "@/test/support/console";
import { deviceOf, maskAddress } from "./sign-in-try";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("a device in words", () => {
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36`, "Chrome 130", "Windows"],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
      "Edge 130",
      "Windows",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0", "Firefox 131", "Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1",
      "Safari 17",
      "iOS",
    ],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S921B) ${WEBKIT} Chrome/129.0.0.0 Mobile Safari/537.36`,
      "Chrome 129",
      "Android",
    ],
    ["curl/8.5.0", null, null],
    ["<script>alert(1)</script> Chrome/", null, null],
    ["", null, null],
  ])("names the device %s", (userAgent, browser, system) => {
    givenEnv();
    expect(deviceOf(new Headers({ "user-agent": userAgent }))).toMatchObject({ browser, system });
  });
});

describe("an address", () => {
  it.each([
    ["203.0.113.87", "203.0.113.•"],
    ["::ffff:203.0.113.87", "203.0.113.•"],
    ["2001:db8:85a3:8d3:1319:8a2e:370:7348", "2001:db8:85a3:…"],
    ["2001:db8::1", "2001:db8:…"],
    ["::1", ":…"],
    ["somewhere", null],
  ])("shows the address %s as %s", (address, masked) => expect(maskAddress(address)).toBe(masked));
});
