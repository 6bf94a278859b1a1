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

export async function publicAuditLog(integration: Assay): Promise<void> {
  // sample: listPublicAuditLog
  const entries = await ok(
    integration.GET("/v1/public/audit-log", { params: { query: { action: "API_KEY_CREATED" } } }),
  );
  for (const { createdAt, actor, resource } of entries) {
    console.log(`${createdAt} ${actor.id} created ${resource.id}`);
  }
  // end sample

  // sample: listPublicAuditLogChanges
  let cursor: string | undefined;
  for (let more = true; more; ) {
    const query = { ...(cursor ? { cursor } : {}), limit: 100 };
    const page = await ok(integration.GET("/v1/public/audit-log/changes", { params: { query } }));
    for (const { id, action } of page.items) console.log(id, action);
    // The next run continues from this cursor. Store it with the items of the page.
    cursor = page.cursor;
    more = page.hasMore;
  }
  // end sample

  // sample: exportPublicAuditLog
  const { data: file = "" } = await integration.GET("/v1/public/audit-log/export", {
    params: { query: { action: "API_KEY_CREATED" } },
    parseAs: "text",
  });
  console.log(`${file.length} characters of CSV`);
  // end sample
}
