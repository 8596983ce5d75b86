import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings, requirePort, requireWritable } from "./product.mjs";
import { freePort } from "@/test/support/temporary-product.mjs";

test("without settings both programs run, for this machine alone", () => {
  expect(readSettings({})).toMatchObject({
    isEmbedded: true,
    publicUrl: "http://localhost:3000",
    console: { number: 3000, host: "127.0.0.1" },
    service: { number: 4010, host: "127.0.0.1" },
  });
});

test.each(["BANK_BASE_URL", "TENANTS_FILE"])("with %s the embedded service stays off", (name) => {
  expect(readSettings({ [name]: "set" }).isEmbedded).toBe(false);
});

test("the console is reached on the port it was given", () => {
  expect(readSettings({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
  expect(readSettings({ PORT: "8080", PUBLIC_URL: "https://desk.example" }).publicUrl).toBe("https://desk.example");
});

test("a console with a certificate is reached by https", () => {
  const { publicUrl, console } = readSettings({ TLS_CERT_FILE: "/run/tls.crt" });
  expect(publicUrl).toBe("https://localhost:3000");
  expect(console.isSecure).toBe(true);
});

test.each(["abc", "0", "65536", "-1", "80.5"])("PORT=%s is refused by name", (PORT) => {
  expect(() => readSettings({ PORT })).toThrow(`PORT must be a port number from 1 to 65535; it is "${PORT}".`);
});

test.each(["foo", "desk.example", "localhost:3000", "ftp://desk.example"])("PUBLIC_URL=%s is refused", (PUBLIC_URL) => {
  expect(() => readSettings({ PUBLIC_URL })).toThrow(`PUBLIC_URL must be an http(s) URL; it is "${PUBLIC_URL}".`);
});

test("both programs on one port are refused", () => {
  expect(() => readSettings({ PORT: "4010" })).toThrow("PORT and SERVICE_PORT are both 4010");
});

test("a port in use is refused with the setting that changes it", async () => {
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

test("a host that this machine does not have is refused by name", async () => {
  const listener = { name: "PORT", hostName: "HOST", number: await freePort(), host: "192.0.2.1" };
  await expect(requirePort(listener)).rejects.toThrow("This machine has no address 192.0.2.1. Set HOST to one it has.");
});

test("a data directory that cannot be written is refused by name", () => {
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-data-"));
  requireWritable(join(folder, "new/data"));
  writeFileSync(join(folder, "file"), "");
  expect(() => requireWritable(join(folder, "file/data"))).toThrow(
    /^DATA_DIR: .*file\/data cannot be written \(ENOTDIR\)\.$/,
  );
  rmSync(folder, { recursive: true });
});
