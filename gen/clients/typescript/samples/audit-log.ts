import { type Assay, ok } from "../client.js";

export async function auditLog(assay: Assay): Promise<void> {
  // sample: listAuditLog
  const entries = await ok(
    assay.GET("/v1/audit-log", { params: { query: { action: "API_KEY_CREATED" } } }),
  );
  for (const { createdAt, actor, resource } of entries) {
    console.log(`${createdAt} ${actor.id} created ${resource.id}`);
  }
  // end sample
}
