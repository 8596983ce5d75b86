import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "node:http";
import { performance } from "node:perf_hooks";
import { Client } from "pg";

/** Loaded before the console's process: notes each statement that a request with the header `x-counted` sends to the server. */
const counted = new AsyncLocalStorage();
let noted = [];

const textOf = (query) => (typeof query === "string" ? query : query.text);

const send = Reflect.get(Client.prototype, "query");
Client.prototype.query = function query(...given) {
  const notes = counted.getStore();
  if (notes === undefined) return send.apply(this, given);
  const note = { text: textOf(given[0]), fromMs: performance.now(), untilMs: Number.POSITIVE_INFINITY };
  notes.push(note);
  const end = () => {
    note.untilMs = performance.now();
  };
  const callback = given.at(-1);
  if (typeof callback === "function") {
    given[given.length - 1] = (...answer) => {
      end();
      callback(...answer);
    };
    return send.apply(this, given);
  }
  const answer = send.apply(this, given);
  answer?.then?.(end, end);
  return answer;
};

const emit = Reflect.get(Server.prototype, "emit");
Server.prototype.emit = function emitCounted(event, ...given) {
  const [request, response] = given;
  if (event !== "request") return emit.call(this, event, ...given);
  if (request.url === "/counted") {
    response.end(JSON.stringify({ cpu: process.cpuUsage(), statements: noted }));
    noted = [];
    return true;
  }
  if (request.headers["x-counted"] === undefined) return emit.call(this, event, ...given);
  noted = [];
  return counted.run(noted, () => emit.call(this, event, ...given));
};
