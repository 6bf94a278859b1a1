// Receives webhooks. Put it below verify.ts in one file.

// sample: receiver
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const secret = process.env.WEBHOOK_SECRET ?? "";
const seen = new Set<string>(); // a table in production: store the event by its id, respond, then process it

createServer(async (request, response) => {
  const body = await buffer(request);
  const headers = new Headers(request.headers as Record<string, string>);
  if (!verifyStandardWebhook(secret, headers, body)) {
    response.writeHead(401).end();
    return;
  }
  const id = headers.get("webhook-id") ?? "";
  if (!seen.has(id)) {
    seen.add(id);
    console.log("verified", JSON.parse(body.toString()).type, id);
  }
  response.writeHead(204).end();
}).listen(4567, "127.0.0.1", () => console.log("listening"));
// end sample
