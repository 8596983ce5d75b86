import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { createServer as createSocketServer, Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readSettings } from "@/service/settings";
import { createPost, type DeliveryRequest } from "./post";
import { listen, type Listening } from "@/test/support/service/webhooks";

const never = new AbortController().signal;
const post = createPost(readSettings({ SERVICE_ALLOW_LOOPBACK_HTTP: "true" }));

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

async function listening(server: Parameters<typeof listen>[0]): Promise<Listening> {
  const opened = await listen(server);
  closing.push(opened.close);
  return opened;
}

const receiver = (answer: RequestListener) => listening(createServer(answer));

const letterTo = ({ port }: Listening, path = "/hook"): DeliveryRequest => ({
  url: `http://127.0.0.1:${port}${path}`,
  headers: { "Content-Type": "application/json", "X-Webhook-Event": "onboarding-create" },
  body: '{"name":"João"}',
});

const noAnswer = (error: string) => ({ httpStatus: null, error });

describe("a request", () => {
  test("delivers a request byte for byte to the URL's path and query", async () => {
    const seen: { request: IncomingMessage; body: string }[] = [];
    const to = await receiver((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (part: string) => (body += part));
      request.on("end", () => {
        seen.push({ request, body });
        response.writeHead(204).end();
      });
    });
    const request = letterTo(to, "/hook/a%20b?tenant=1#fragment");
    expect(await post(request, never)).toEqual({ httpStatus: 204, error: null });
    const [arrival] = seen;
    expect(arrival?.body).toBe(request.body);
    expect(arrival?.request).toMatchObject({ method: "POST", url: "/hook/a%20b?tenant=1" });
    expect(arrival?.request.headers).toMatchObject({
      host: `127.0.0.1:${to.port}`,
      "content-type": "application/json",
      "x-webhook-event": "onboarding-create",
    });
  });

  test.each([301, 302, 303, 307, 308])("does not follow a %i", async (status) => {
    let visits = 0;
    const elsewhere = await receiver((_, response) => {
      visits += 1;
      response.end();
    });
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const to = await receiver((_, response) => response.writeHead(status, { location }).end());
    expect(await post(letterTo(to), never)).toEqual({ httpStatus: status, error: null });
    expect(visits).toBe(0);
  });

  test("never sends a cookie that the receiver set", async () => {
    const cookies: unknown[] = [];
    const to = await receiver((request, response) => {
      cookies.push(request.headers.cookie);
      response.writeHead(200, { "Set-Cookie": "session=1" }).end();
    });
    await post(letterTo(to), never);
    await post(letterTo(to), never);
    expect(cookies).toEqual([undefined, undefined]);
  });
});

describe("the thirty seconds", () => {
  test.each([
    [29_999, { httpStatus: 200, error: null }],
    [30_000, noAnswer("timeout")],
  ])("accepts an answer after %i ms for %o", async (milliseconds, expected) => {
    const server = createServer();
    const to = await listening(server);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const reached = once(server, "request");
    const answer = post(letterTo(to), never);
    const [, response]: unknown[] = await reached;
    await vi.advanceTimersByTimeAsync(milliseconds);
    if (response instanceof ServerResponse) response.end();
    expect(await answer).toEqual(expected);
  });

  test("applies the thirty seconds to a slowly arriving head", async () => {
    const server = createSocketServer();
    const to = await listening(server);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const reached = once(server, "connection");
    const answer = post(letterTo(to), never);
    const [socket]: unknown[] = await reached;
    if (socket instanceof Socket) socket.write("HTTP/1.1 200 OK\r\nX-Drip: ");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await answer).toEqual(noAnswer("timeout"));
  });

  test("applies the thirty seconds to the head, and reads an endless body shortly", async () => {
    const to = await receiver((_, response) => response.writeHead(200).write("and so on"));
    expect(await post(letterTo(to), never)).toEqual({ httpStatus: 200, error: null });
  });
});

describe("an answer", () => {
  test("cuts off an answer whose body floods, and still counts it", async () => {
    let sentBytes = 0;
    const to = await receiver((_, response) => {
      const flood = () => {
        while (!response.destroyed && response.write("x".repeat(16_384))) sentBytes += 16_384;
      };
      response.on("drain", flood).on("error", () => undefined);
      flood();
    });
    expect(await post(letterTo(to), never)).toEqual({ httpStatus: 200, error: null });
    expect(sentBytes).toBeLessThan(32_000_000);
  });

  test("counts an answer whose body breaks off", async () => {
    const to = await receiver((_, response) => {
      response.writeHead(200, { "Content-Length": "100" }).write("half", () => response.destroy());
    });
    expect(await post(letterTo(to), never)).toEqual({ httpStatus: 200, error: null });
  });

  test.each([
    ["nothing at all", "", "connection-closed"],
    ["something that is not HTTP", "220 smtp.example ESMTP\r\n", "answer-not-http"],
    ["a head without end", `HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(100_000)}`, "answer-not-http"],
    [
      "a change of protocol",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      "connection-closed",
    ],
  ])("counts no answer that is %s", async (_, text, word) => {
    const to = await listening(
      createSocketServer((socket) => {
        socket.on("error", () => undefined).once("data", () => socket.end(text));
      }),
    );
    expect(await post(letterTo(to), never)).toEqual(noAnswer(word));
  });

  test("awaits no answer once the attempt is aborted", async () => {
    const server = createServer();
    const to = await listening(server);
    const breakOff = new AbortController();
    const reached = once(server, "request");
    const answer = post(letterTo(to), breakOff.signal);
    await reached;
    breakOff.abort();
    expect(await answer).toEqual(noAnswer("connection-closed"));
  });
});

test("tells an absent receiver from one that hangs up", async () => {
  const gone = await listen(createServer());
  await gone.close();
  expect(await post(letterTo(gone), never)).toEqual(noAnswer("connection-refused"));
  const rude = await listening(createSocketServer((socket) => socket.destroy()));
  expect(await post(letterTo(rude), never)).toEqual(noAnswer("connection-closed"));
});
