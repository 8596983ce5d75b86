import { once } from "node:events";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { request, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlockList } from "node:net";
import { connect, TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { certify } from "@/service/webhooks/test-certificates";
import { createFrontServer, certificateFiles, readCertificate, reloadCertificate } from "./server.mjs";

const authority = certify({ hosts: [] });
const issuer = { name: authority.name, key: authority.privateKey };
const ofLocalhost = () => certify({ hosts: ["localhost"], issuer });

const folder = mkdtempSync(join(tmpdir(), "front-server-certificate-"));
const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };

function write({ cert, key }: { cert: string; key: string | Buffer }): void {
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key);
  chmodSync(files.keyFile, 0o600);
}

let front: ReturnType<typeof createFrontServer>;
let port = 0;
let said: string[] = [];
beforeEach(async () => {
  said = [];
  vi.spyOn(process.stderr, "write").mockImplementation((line) => said.push(String(line)) > 0);
  write(ofLocalhost());
  const setting = {
    publicUrl: new URL("https://localhost"),
    isDevelopment: false,
    trusted: new BlockList(),
    isProxyNamed: false,
  };
  front = createFrontServer(setting, (_, answer) => answer.end("ok"), await readCertificate(files));
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  port = z.object({ port: z.number() }).parse(front.address()).port;
});
afterEach(() => new Promise((closed) => front.close(closed)));

function secureServer(): Server {
  if (!("setSecureContext" in front)) throw new Error("the server is not one of https");
  return front;
}

type Answered = { status: number | undefined; hsts: string | undefined; fingerprint: string };

function ask(): Promise<Answered> {
  const asked = { port, host: "localhost", ca: authority.cert, agent: false, headers: { connection: "close" } };
  return new Promise((resolve, reject) => {
    const asking = request(asked, (answer) => {
      const fingerprint =
        answer.socket instanceof TLSSocket ? answer.socket.getPeerCertificate().fingerprint256 : "plain http";
      const told = { status: answer.statusCode, hsts: answer.headers["strict-transport-security"], fingerprint };
      answer.resume().once("end", () => resolve(told));
    });
    asking.once("error", reject).end();
  });
}

describe("a console with a certificate", () => {
  it("answers by https, with the headers of the front server", async () => {
    expect(await ask()).toMatchObject({ status: 200, hsts: expect.stringContaining("max-age=63072000") });
  });

  it("refuses plain http and TLS before 1.2", async () => {
    const old = connect({ port, host: "localhost", ca: authority.cert, maxVersion: "TLSv1.1", minVersion: "TLSv1" });
    await expect(once(old, "secureConnect")).rejects.toMatchObject({ code: expect.stringContaining("SSL") });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  });

  it("offers only forward-secret, authenticated ciphers, also after a renewal", async () => {
    const weak = { ciphers: "ALL:!AESGCM:!CHACHA20", maxVersion: "TLSv1.2" } as const;
    const greet = () => {
      const socket = connect({ port, host: "localhost", ca: authority.cert, ...weak });
      return once(socket, "secureConnect").finally(() => socket.destroy());
    };
    await expect(greet()).rejects.toMatchObject({ code: expect.stringContaining("HANDSHAKE_FAILURE") });
    write(ofLocalhost());
    await reloadCertificate(secureServer(), files);
    await expect(greet()).rejects.toMatchObject({ code: expect.stringContaining("HANDSHAKE_FAILURE") });
  });

  it("shows a new certificate to new connections without a restart", async () => {
    const before = await ask();
    write(ofLocalhost());
    expect(await reloadCertificate(secureServer(), files)).toBe(true);
    const after = await ask();
    expect(after).toMatchObject({ status: 200 });
    expect(after.fingerprint).not.toBe(before.fingerprint);
  });

  it("keeps the former certificate while the two files do not match, and says so", async () => {
    const before = await ask();
    writeFileSync(files.certFile, ofLocalhost().cert);
    expect(await reloadCertificate(secureServer(), files)).toBe(false);
    expect(await ask()).toEqual(before);
    expect(said.join("")).toContain("the former one stays");
    expect(said.join("")).not.toContain("PRIVATE KEY");
  });
});

it("requires both settings", () => {
  expect(certificateFiles({})).toBeNull();
  expect(certificateFiles({ TLS_CERT_FILE: "a", TLS_KEY_FILE: "b" })).toEqual({ certFile: "a", keyFile: "b" });
});
