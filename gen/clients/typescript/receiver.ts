import { on, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A webhook as it came: signatures are those of the raw bytes. */
export interface Webhook {
  headers: Headers;
  body: Buffer;
}

/** Receives webhooks on a free port of this machine, for half a minute at most. */
export async function listen() {
  const server = createServer(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    server.emit("webhook", { headers, body: await buffer(request) } satisfies Webhook);
    response.writeHead(204).end();
  });
  const webhooks = on(server, "webhook", { signal: AbortSignal.timeout(30_000) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    next: async (): Promise<Webhook> => (await webhooks.next()).value[0],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
