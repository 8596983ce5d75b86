import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { unzip } from "@/test/support/zip";
import { type Contents, refuseLargeZip, zipOf } from "./file";

type Source = Contents["sources"][number];

const COMMENT_BYTES = 300;

const wanted: Contents["wanted"] = {
  tenant: "aurora",
  id: "4f1f7a52-6f5f-4d3e-9d5c-6a6fd0f6b7c1",
  staffId: "1a2b7a52-6f5f-4d3e-9d5c-6a6fd0f6b7c1",
  createdAt: new Date(0),
  format: "ofx",
  fromDay: "2026-03-01",
  toDay: "2026-03-31",
  scope: "all",
  locale: "pt-BR",
  state: "RUNNING",
  plannedCalls: 0,
  plannedMinutes: 0,
  startedAt: null,
  finishedAt: null,
  totals: null,
  sha256: null,
  sizeBytes: null,
};

const sourceAt = (position: number, fileName: string, state: Source["state"] = "READ"): Source => ({
  tenant: wanted.tenant,
  exportId: wanted.id,
  position,
  kind: "account",
  ref: "ref",
  label: fileName,
  state,
  failures: 0,
  why: null,
  readAt: null,
  totals: null,
  fileName,
  sizeBytes: 0,
  crc32: null,
});

async function* piecesOf({ fileName, position }: Source): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < position; n += 1) yield Buffer.from(`${fileName}: Lançamentos\n`);
}

const sources = [sourceAt(1, "0001-7"), sourceAt(2, "unread", "UNREAD"), sourceAt(3, "São-ã")];

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const zipBytes = () => bytesOf(zipOf({ wanted, sources, totals: {} }, { piecesOf, commentBytes: COMMENT_BYTES }));

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("begun");
  throw new Error("a piece went");
}

function refusal(entries: number, sizeBytes: number): unknown {
  try {
    refuseLargeZip({ entries, sizeBytes });
    return null;
  } catch (error) {
    return error;
  }
}

describe("a zip", () => {
  it("puts the control file and each read source into the zip, nothing else", async () => {
    const entries = await unzip(Buffer.concat([await zipBytes(), Buffer.alloc(COMMENT_BYTES, "s")]));
    expect([...entries.keys()]).toEqual(["control.csv", "00001-0001-7.ofx", "00003-São-ã.ofx"]);
    expect(entries.get("control.csv")?.toString("utf8")).toContain('"# not read";"account";"ref";"unread"');
    expect(entries.get("00003-São-ã.ofx")?.toString("utf8")).toBe("São-ã: Lançamentos\n".repeat(3));
  });

  it("writes the same bytes for the same contents", async () => {
    expect(await zipBytes()).toEqual(await zipBytes());
  });

  it("requests each source only when it is needed", async () => {
    let asked = 0;
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        asked += 1;
        await turn();
        yield crypto.getRandomValues(new Uint8Array(60_000));
      }
    };
    const pieces = zipOf({ wanted, sources, totals: {} }, { piecesOf: endless, commentBytes: COMMENT_BYTES });
    for (let n = 0; n < 3; n += 1) await pieces.next();
    for (let n = 0; n < 200; n += 1) await turn();
    expect(asked).toBeLessThan(60);
    await pieces.return(undefined);
  });

  it("fails a zip when a source fails", async () => {
    const pieces = zipOf({ wanted, sources, totals: {} }, { piecesOf: broken, commentBytes: COMMENT_BYTES });
    await expect(bytesOf(pieces)).rejects.toThrow("a piece went");
  });

  it("holds 65,534 statements beside the control file, and just under 4 GiB", () => {
    const refused = { kind: "invalid", details: { code: "movement-file-large" } };
    expect(refusal(65_534, 0)).toBeNull();
    expect(refusal(65_535, 0)).toMatchObject(refused);
    expect(refusal(1, 4_000_000_000)).toBeNull();
    expect(refusal(1, 2 ** 32)).toMatchObject(refused);
  });
});
