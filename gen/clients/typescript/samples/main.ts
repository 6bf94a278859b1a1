// Calls every operation of the contract. The documentation shows the lines between
// `sample: <operationId>` and `end sample`.
import { listen } from "../receiver.js";
import { apiKey, revocation } from "./api-keys.js";
import { assessment, nextVersion, publicAssessment } from "./assessments.js";
import { auditLog, publicAuditLog } from "./audit-log.js";
import { account, forgotten, leave, organization, registration, signIn } from "./auth.js";
import { erasure, integrations, invite, lists, people } from "./candidate-sessions.js";
import { take } from "./candidate.js";
import { leaving, reports, screens, supervision } from "./dashboard.js";
import { corrections, forgiveness, grades, rulings } from "./decisions.js";
import { events, follow } from "./events.js";
import { figures, groups } from "./figures.js";
import { grading } from "./grading.js";
import { trackingSystems } from "./integrations.js";
import { keyDeliveries, keyEndpoint } from "./keys.js";
import { members } from "./members.js";
import { count, observe } from "./operations.js";
import { deletion, people as everything } from "./people.js";
import { provider } from "./provider.js";
import { questions } from "./questions.js";
import { results } from "./results.js";
import { retention } from "./retention.js";
import { reviews } from "./reviews.js";
import { passkeys } from "./sign-in.js";
import { afterAnOutage, deliveries, end, endpoint } from "./webhooks.js";

const {
  ASSAY_URL: baseUrl = "",
  ASSAY_EMAIL: email = "",
  ASSAY_PASSWORD: password = "",
  ASSAY_RESET_URL: resetUrl = "",
  ASSAY_RESET_EMAIL: resetEmail = "",
  ASSAY_CONFIRM_URL: confirmUrl = "",
  ASSAY_LATE_SESSION: lateSessionId = "",
  ASSAY_REVIEW_SESSION: reviewSessionId = "",
  ASSAY_GRADING_ASSESSMENT: gradedId = "",
  ASSAY_PASSKEY_EMAIL: passkeyEmail = "",
  ASSAY_RECOVERY_CODES: recoveryCodes = "",
} = process.env;
const began = new Date();
observe();

const assay = await signIn(baseUrl, email, password);
await registration(baseUrl);
await passkeys(baseUrl, passkeyEmail, password, recoveryCodes.split(" "));
await provider(assay, baseUrl);
const newPassword = await forgotten(baseUrl, email, resetUrl);
await leave(await signIn(baseUrl, resetEmail, newPassword), confirmUrl);
await account(assay);
await organization(assay);
await members(assay, baseUrl);
const { integration, apiKeyId } = await apiKey(assay, baseUrl);
await auditLog(assay);
await publicAuditLog(integration);
await trackingSystems(assay);

const receiver = await listen();
const webhookId = await endpoint(assay, receiver.url);
const ownWebhookId = await keyEndpoint(integration, receiver.url, began);
await questions(assay);
const assessmentId = await assessment(assay);
await publicAssessment(integration, assessmentId);

const session = await invite(integration, assessmentId);
await groups(assay, assessmentId);
const redirectUrl = await take(baseUrl, session.inviteUrl ?? "");
await results(assay, integration, session.id, redirectUrl);
const questionId = await corrections(assay, assessmentId);
await figures(assay, integration, assessmentId, questionId);
await grades(assay, session.id, questionId);
await reviews(assay, integration, session.id);
await retention(assay, assessmentId, session.id);
await rulings(assay, reviewSessionId);
await forgiveness(assay, lateSessionId);
await grading(assay, gradedId);
await people(assay, assessmentId);
await integrations(integration, assessmentId);
await lists(assay, integration, assessmentId);
await screens(assay);
await supervision(assay, baseUrl, assessmentId);
await reports(assay, assessmentId, session.id, webhookId);

while ((await receiver.next()).headers.get("X-Service-Event") !== "candidate.completed");
await deliveries(assay, webhookId);
await events(assay);
await follow(integration, began);
await keyDeliveries(integration, ownWebhookId);
await afterAnOutage(assay, webhookId, began);

await end(assay, webhookId);
receiver.close();
await erasure(assay, session.id);
await everything(assay, integration, session.id);
await deletion(assay);
await nextVersion(assay, assessmentId);
await revocation(assay, apiKeyId);
await leaving(assay);
console.log(`${await count(baseUrl)} operations`);
