import { connect } from "node:net";

const HEAD_END = "\r\n\r\n";

export type Reply = { status: number; body: string };

/** One keep-alive HTTP/1.1 connection that asks one question at a time; `request` is the whole of it, head and body. */
export type Connection = { ask: (request: string) => Promise<Reply>; close: () => void };

/** The first reply in `bytes` (one byte a character), and where it ends; null while it is not all there. */
function readReply(bytes: string): { reply: Reply; end: number } | null {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = bytes.slice(0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`a reply without a Content-Length cannot be told from the next: ${head}`);
  const bodyStart = headEnd + HEAD_END.length;
  const end = bodyStart + Number(length);
  if (bytes.length < end) return null;
  return { reply: { status: Number(head.slice(9, 12)), body: bytes.slice(bodyStart, end) }, end };
}

/** Connects over a bare socket: an HTTP library would cost more than what it is to measure. */
export async function openConnection(origin: string): Promise<Connection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let arrived = "";
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined;
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve).once("error", reject);
  });
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    arrived += chunk;
    const read = readReply(arrived);
    if (!read) return;
    arrived = arrived.slice(read.end);
    waiting?.resolve(read.reply);
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error(`${origin} closed the connection`)));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request, "latin1");
      }),
    close: () => socket.destroy(),
  };
}
