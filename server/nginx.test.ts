import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { findInPath } from "@/scripts/program.mjs";
import { freePort } from "@/test/support/temporary-product.mjs";
import { trustedProxiesOf } from "./addresses.mjs";
import { createFrontServer } from "./server.mjs";

const nginx = findInPath("nginx", `${process.env["PATH"] ?? ""}:/usr/sbin`);
const MIB = 1024 * 1024;

type Seen = { path: string; bytes: number; client: unknown; host: unknown };
const seen: Seen[] = [];
let streaming: ServerResponse | undefined;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let bytes = 0;
  for await (const chunk of request) bytes += Buffer.byteLength(chunk);
  const { "x-retaguarda-client": client, host } = request.headers;
  seen.push({ path: request.url ?? "", bytes, client, host });
  if (request.url !== "/api/live") return void response.end("ok");
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("data: first\n\n");
  streaming = response;
}

/** The real configuration except for the port, TLS and the console's address. */
function configuration(folder: string, port: number, consolePort: number): string {
  const site = readFileSync(join(import.meta.dirname, "../ops/nginx/retaguarda.conf"), "utf8")
    .replace(/server \{\n {2}listen 80;[^}]*\}/, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*\n/gm, "")
    .replace("127.0.0.1:3000", `127.0.0.1:${consolePort}`);
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder};`);
  return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${folders.join(" ")} ${site} }`;
}

describe.skipIf(nginx === undefined)(`behind ops/nginx${nginx === undefined ? " (not tried: no nginx)" : ""}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  let url = "";
  let end: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://localhost:${port}`;
    const trusted = trustedProxiesOf("127.0.0.1/32");
    if (trusted === null) throw new Error("no proxies");
    const setting = { publicUrl: new URL(url), isDevelopment: false, trusted, isProxyNamed: true };
    const front = createFrontServer(setting, (request, response) => answer(request, response));
    await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
    const { port: consolePort } = z.object({ port: z.number() }).parse(front.address());
    const file = join(folder, "nginx.conf");
    writeFileSync(file, configuration(folder, port, consolePort));
    const child = spawn(nginx ?? "", ["-c", file], { stdio: "ignore" });
    await vi.waitFor(() => fetch(url), { timeout: 20_000 });
    end = async () => {
      child.kill();
      front.closeAllConnections();
      await new Promise((closed) => front.close(closed));
    };
  });
  afterAll(async () => {
    await end?.();
    rmSync(folder, { recursive: true });
  });

  const post = async (path: string, bytes: number) => {
    const body = Buffer.alloc(bytes);
    const { status } = await fetch(`${url}${path}`, { method: "POST", headers: { origin: url }, body });
    return status;
  };

  it("knows the caller's address and host, whatever headers claim", async () => {
    await fetch(`${url}/who`, { headers: { "x-forwarded-for": "198.51.100.7", "x-forwarded-host": "evil.example" } });
    expect(seen.at(-1)).toMatchObject({ path: "/who", client: "127.0.0.1", host: new URL(url).host });
  });

  it("has a configuration that nginx accepts without a warning", () => {
    const { status, stderr } = spawnSync(nginx ?? "", ["-t", "-c", join(folder, "nginx.conf")], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("[warn]")]);
  });

  it.each([
    ["/kyc", MIB, 200],
    ["/kyc", MIB + 1, 413],
    ["/api/kyc/7/files", 10 * MIB, 200],
    ["/api/kyc/7/files", 10 * MIB + 1, 413],
    ["/api/accounts/7/files", 10 * MIB, 200],
    ["/api/hooks/aurora", MIB / 4, 200],
    ["/api/hooks/aurora", MIB / 4 + 1, 413],
  ])("answers a write to %s of %i bytes with %i", async (path, bytes, status) => {
    expect(await post(path, bytes)).toBe(status);
    expect([413, seen.at(-1)?.bytes]).toContain(status === 200 ? bytes : status);
  });

  it("delivers a change while the stream is open", async () => {
    const { body } = await fetch(`${url}/api/live`);
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: first\n\n");
    streaming?.write("data: second\n\n");
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: second\n\n");
    streaming?.end();
  });
});
