import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { caseTarget } from "@/lib/kyc/notes";
import { givenCase } from "@/test/support/kyc";
import { log } from "@/lib/log/log";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { addFile, scan } from "./file";
import { caseworkFile } from "@/lib/db/tables/notes";

/** Stands for malware in a file; not a real signature, which this machine's scanner would find here. */
const MALWARE = "X5O!-A-STAND-IN";
const PDF = Buffer.from("%PDF-1.7 contrato social");
const INFECTED = Buffer.concat([PDF, Buffer.alloc(200_000, " "), Buffer.from(MALWARE)]);

let server: Server;
let answer: (bytes: Buffer) => string | null = () => null;
/** The stream of clamd's command with its parts joined; null before the empty one that ends it. */
function streamIn(received: Buffer): Buffer | null {
  const command = "zINSTREAM\0";
  if (received.subarray(0, command.length).toString() !== command) return null;
  const parts: Buffer[] = [];
  let at = command.length;
  while (at + 4 <= received.length) {
    const size = received.readUInt32BE(at);
    if (size === 0) return Buffer.concat(parts);
    parts.push(received.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return null;
}

const asClamd = (bytes: Buffer) => (bytes.includes(MALWARE) ? "stream: Win.Test.EICAR_HDB-1 FOUND" : "stream: OK");

beforeEach(async () => {
  answer = asClamd;
  server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("data", (part) => {
      received = Buffer.concat([received, part]);
      const stream = streamIn(received);
      const said = stream === null ? null : answer(stream);
      if (stream !== null) socket.end(said === null ? "" : `${said}\0`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  givenEnv({ scanner: { host: "127.0.0.1", port } });
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  vi.spyOn(log, "error").mockImplementation(() => undefined);
});
afterEach(() => new Promise((closed) => server.close(closed)));

const unavailable = { kind: "unavailable", details: { code: "scan-unavailable" } };

describe("clamd", () => {
  it("sends the scanner every byte in parts and returns its finding", async () => {
    let seen = 0;
    answer = (bytes) => {
      seen = bytes.length;
      return asClamd(bytes);
    };
    expect(await scan(INFECTED)).toBe("found");
    expect(seen).toBe(INFECTED.length);
    expect(await scan(PDF)).toBe("clean");
  });

  it("calls no scanner without its setting", async () => {
    givenEnv();
    expect(await scan(INFECTED)).toBe("off");
  });

  it.each(["INSTREAM size limit exceeded. ERROR", "stream: OK, or so", ""])(
    "counts the answer %j as not scanned",
    async (said) => {
      answer = () => said;
      await expect(scan(PDF)).rejects.toMatchObject(unavailable);
    },
  );

  it("passes no file while the scanner is down", async () => {
    givenEnv({ scanner: { path: "/nowhere/clamd.ctl" } });
    await expect(scan(PDF)).rejects.toMatchObject(unavailable);
  });
});

describe("a file that is put to a case", () => {
  let db: Db;
  const put = async (bytes: Buffer) => {
    const target = caseTarget("aurora", await givenCase(db));
    const person = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:note");
    return addFile(person, target, { fileId: randomUUID(), name: "contrato.pdf", bytes });
  };
  beforeEach(async () => {
    db = await givenStore();
  });

  it("keeps a clean file", async () => {
    await put(PDF);
    expect(await db.$count(caseworkFile)).toBe(1);
  });

  it("refuses and audits an infected file, and keeps no byte", async () => {
    await expect(put(INFECTED)).rejects.toMatchObject({ kind: "invalid", details: { code: "file-infected" } });
    expect(await db.$count(caseworkFile)).toBe(0);
    const [refused] = await db.select().from(auditEvent);
    expect(refused).toMatchObject({ code: "casework.file-add", outcome: "REFUSED", detail: { why: "infected" } });
  });

  it("refuses a file while no scan is possible", async () => {
    answer = () => "";
    await expect(put(PDF)).rejects.toMatchObject(unavailable);
    expect(await db.$count(caseworkFile)).toBe(0);
  });
});
