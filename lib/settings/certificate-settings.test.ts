import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publicUrlOf } from "./env";

const folder = mkdtempSync(join(tmpdir(), "certificate-"));
const files = { TLS_CERT_FILE: join(folder, "tls.crt"), TLS_KEY_FILE: join(folder, "tls.key") };
for (const file of Object.values(files)) writeFileSync(file, "");

const address = (scheme: string) => new URL(`${scheme}://desk.example`);

it("uses http without a certificate", () => {
  expect(publicUrlOf({ PORT: 3000 }).href).toBe("http://localhost:3000/");
  const behind = { PORT: 3000, TRUSTED_PROXIES: "127.0.0.1/32", PUBLIC_URL: address("https") };
  expect(publicUrlOf(behind).origin).toBe("https://desk.example");
  expect(publicUrlOf({ PORT: 3000, ...files }).href).toBe("https://localhost:3000/");
});

it("uses https for its own origin with a certificate, as cookies need it", () => {
  expect(publicUrlOf({ PORT: 3000, ...files, PUBLIC_URL: address("https") }).origin).toBe("https://desk.example");
  expect(() => publicUrlOf({ PORT: 3000, ...files, PUBLIC_URL: address("http") })).toThrow(
    "PUBLIC_URL: must be https with TLS_CERT_FILE",
  );
});

it("names a missing certificate or one without its key", () => {
  const { TLS_CERT_FILE } = files;
  expect(() => publicUrlOf({ PORT: 3000, TLS_CERT_FILE })).toThrow("TLS_KEY_FILE: is required with TLS_CERT_FILE");
  expect(() => publicUrlOf({ PORT: 3000, ...files, TLS_KEY_FILE: join(folder, "gone") })).toThrow(
    "TLS_KEY_FILE: there is no file",
  );
});

it("requires a named proxy for an https address without a certificate", () => {
  expect(() => publicUrlOf({ PORT: 3000, PUBLIC_URL: address("https") })).toThrow(
    /^TRUSTED_PROXIES: .*TRUSTED_PROXIES=127\.0\.0\.1\/32/,
  );
});
