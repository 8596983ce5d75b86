import { connect } from "node:tls";

const PATIENCE_MS = 5_000;

/** When the certificate ends that an https address shows, trusted or not; null when none is shown in five seconds. */
export function certificateEnd({ hostname, port }: URL): Promise<Date | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname,
      servername: hostname,
      port: Number(port || 443),
      rejectUnauthorized: false,
    });
    const end = (until: Date | null) => {
      socket.destroy();
      resolve(until);
    };
    socket.setTimeout(PATIENCE_MS, () => end(null));
    socket.once("error", () => end(null));
    socket.once("secureConnect", () => {
      const until = new Date(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(until.getTime()) ? null : until);
    });
  });
}
