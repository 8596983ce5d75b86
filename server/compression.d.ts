/** Its published types stand on Express. */
declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";
  import type { BrotliOptions } from "node:zlib";

  function compression(options: {
    brotli: BrotliOptions;
  }): (request: IncomingMessage, answer: ServerResponse, next: () => void) => void;
  export default compression;
}
