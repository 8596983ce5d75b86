import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { asAppError, StoreUnavailable } from "@/lib/db/error";
import { noteSent } from "@/lib/log/work";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { withStore } from "./store.mjs";

/** As a query without an answer. */
const missStore = () => asAppError(new StoreUnavailable("silent"));

type House = (request: IncomingMessage, answer: ServerResponse) => unknown;

let close = () => {};
afterEach(() => close());

async function ask(house: House, init: RequestInit = {}): Promise<Response> {
  const server = createServer(withStore(house)).listen(0, "127.0.0.1");
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return fetch(`http://127.0.0.1:${port}/kyc`, init);
}

/** As Next answers a thrown error. */
const failing: House = async (_, answer) => {
  await Promise.resolve();
  missStore();
  answer.statusCode = 500;
  answer.setHeader("content-encoding", "gzip");
  answer.write("something went ");
  answer.end("wrong");
};

const failingLate: House = (request, answer) => {
  noteSent();
  return failing(request, answer);
};

/** As Next answers a server action with a reason. */
const acting: House = (_, answer) => {
  missStore();
  answer.setHeader("content-type", "text/x-component");
  answer.end("1:{}");
};

const page = { headers: { accept: "text/html" } };

describe("an answer that the store was missing for", () => {
  it("answers 503, with when to retry and why in both languages", async () => {
    const answer = await ask(failing, page);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    const text = await answer.text();
    expect(text).toContain(english.readOutages["store-silent"]);
    expect(text).toContain(portuguese.readOutages["store-silent"]);
    expect(text).not.toMatch(/wrong|nothing was sent|nada foi enviado/);
  });

  it.each([
    ["en-GB", english],
    ["pt-BR", portuguese],
  ])("says so in %s for a route, like a write's result", async (language, messages) => {
    const answer = await ask(failing, { headers: { accept: "application/json", "accept-language": language } });
    expect([answer.status, answer.headers.get("x-retaguarda-failure")]).toEqual([503, "bank:unavailable:store-silent"]);
    const message = messages.readOutages["store-silent"];
    expect(await answer.json()).toEqual({ ok: false, error: { kind: "unavailable", message } });
  });

  it("does not claim that nothing was sent when something may have been", async () => {
    const text = await (await ask(failingLate, { ...page, method: "POST" })).text();
    expect(text).toContain(english.outages["store-lost"]);
    expect(text).not.toContain(english.outages["store-silent"]);
  });

  it("keeps an action's result, as 503", async () => {
    const answer = await ask(acting, { method: "POST" });
    expect([answer.status, answer.headers.get("retry-after"), await answer.text()]).toEqual([503, "5", "1:{}"]);
  });
});

describe("any other answer", () => {
  it.each([
    ["a failure of ours", { status: 500, isMissed: false }],
    ["a page that did without the store", { status: 200, isMissed: true }],
    ["what a route knows by itself", { status: 503, isMissed: true }],
  ])("leaves any other answer unchanged: %s", async (_, { status, isMissed }) => {
    const house: House = (_request, answer) => {
      if (isMissed) missStore();
      answer.writeHead(status, { "content-type": "text/plain" }).end("as it was");
    };
    const answer = await ask(house, page);
    expect([answer.status, await answer.text()]).toEqual([status, "as it was"]);
  });
});
