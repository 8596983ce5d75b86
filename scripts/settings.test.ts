import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, requirePort, requireWritable } from "./product.mjs";
import { freePort } from "@/test/support/temporary-product.mjs";

test("runs both programs for this machine alone without settings", () => {
  expect(readSettings({})).toMatchObject({
    isEmbedded: true,
    publicUrl: "http://localhost:3000",
    console: { number: 3000, host: "127.0.0.1" },
    service: { number: 4010, host: "127.0.0.1" },
  });
});

test.each(["BANK_BASE_URL", "TENANTS_FILE"])("keeps the embedded service off with %s", (name) => {
  expect(readSettings({ [name]: "set" }).isEmbedded).toBe(false);
});

test("serves the console on the given port", () => {
  expect(readSettings({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
  expect(readSettings({ PORT: "8080", PUBLIC_URL: "https://desk.example" }).publicUrl).toBe("https://desk.example");
});

test("serves the console by https with a certificate", () => {
  const { publicUrl, console } = readSettings({ TLS_CERT_FILE: "/run/tls.crt" });
  expect(publicUrl).toBe("https://localhost:3000");
  expect(console.isSecure).toBe(true);
});

test.each(["abc", "0", "65536", "-1", "80.5"])("refuses PORT=%s by name", (PORT) => {
  expect(() => readSettings({ PORT })).toThrow(`PORT must be a port number from 1 to 65535; it is "${PORT}".`);
});

test.each(["foo", "desk.example", "localhost:3000", "ftp://desk.example"])("refuses PUBLIC_URL=%s", (PUBLIC_URL) => {
  expect(() => readSettings({ PUBLIC_URL })).toThrow(`PUBLIC_URL must be an http(s) URL; it is "${PUBLIC_URL}".`);
});

test("refuses one port for both programs", () => {
  expect(() => readSettings({ PORT: "4010" })).toThrow("PORT and SERVICE_PORT are both 4010");
});

test("refuses a port in use and names the setting that changes it", async () => {
  const number = await freePort();
  const listener = { name: "PORT", hostName: "HOST", number, host: "127.0.0.1" };
  await requirePort(listener);

  const holder = createServer();
  await new Promise<void>((listening) => {
    holder.listen(number, "127.0.0.1", () => listening());
  });
  await expect(requirePort(listener)).rejects.toThrow(
    `Port ${number} on 127.0.0.1 is in use. Stop the program that holds it, or set PORT to another port.`,
  );
  holder.close();
});

test("refuses by name a host that this machine does not have", async () => {
  const listener = { name: "PORT", hostName: "HOST", number: await freePort(), host: "192.0.2.1" };
  await expect(requirePort(listener)).rejects.toThrow("This machine has no address 192.0.2.1. Set HOST to one it has.");
});

test("refuses by name a data directory that cannot be written", () => {
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-data-"));
  requireWritable(join(folder, "new/data"));
  writeFileSync(join(folder, "file"), "");
  expect(() => requireWritable(join(folder, "file/data"))).toThrow(
    /^DATA_DIR: .*file\/data cannot be written \(ENOTDIR\)\.$/,
  );
  rmSync(folder, { recursive: true });
});
