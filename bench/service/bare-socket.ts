import { createServer } from "node:net";
import { serve } from "./serve";

// A server that reads nothing of what it is asked: what the load generator itself can ask at most.
const body = process.env["BENCH_ANSWER"] ?? "{}";
const reply = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const server = createServer({ noDelay: true }, (socket) => {
  socket.on("data", () => socket.write(reply, "latin1"));
  socket.on("error", () => socket.destroy());
});
serve("bare socket", server);
