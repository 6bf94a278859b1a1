import { type Assay, ok } from "../client.js";

export async function auditLog(assay: Assay): Promise<void> {
  // sample: listAuditLog
  const entries = await ok(
    assay.GET("/v1/audit-log", { params: { query: { action: "API_KEY_CREATED" } } }),
  );
  for (const entry of entries)
    console.log(`${entry.createdAt} ${entry.actor.id} created ${entry.resource.id}`);
  // end sample
}
