// Checks the verification with cases whose outcome is known.
import { readFile } from "node:fs/promises";
import { verifyServiceSignature, verifyStandardWebhook } from "./verify.js";

interface Case {
  name: string;
  secret: string;
  now: number;
  headers: Record<string, string>;
  body: string;
  serviceSignatureValid: boolean;
  standardWebhooksValid: boolean;
}

const cases: Case[] = JSON.parse(await readFile(process.argv[2]!, "utf8"));
for (const test of cases) {
  const [headers, body] = [new Headers(test.headers), Buffer.from(test.body)];
  const service = verifyServiceSignature(test.secret, body, headers.get("X-Service-Signature"));
  const standard = verifyStandardWebhook(test.secret, headers, body, test.now);
  if (service !== test.serviceSignatureValid || standard !== test.standardWebhooksValid) {
    console.error(`${test.name}: X-Service-Signature ${service}, Standard Webhooks ${standard}`);
    process.exitCode = 1;
  }
}
if (cases.length === 0) throw new Error("there are no cases");
console.log(`${cases.length} cases`);
