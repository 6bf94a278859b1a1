from assay import AuthenticatedClient, models
from assay.api.audit_log import (
    export_public_audit_log,
    list_audit_log,
    list_public_audit_log,
    list_public_audit_log_changes,
)
from assay.types import UNSET, Unset
from client import ok


def audit_log(assay: AuthenticatedClient) -> None:
    # sample: listAuditLog
    for entry in ok(list_audit_log.sync(client=assay, action=models.AuditActionInput.API_KEY_CREATED)):
        print(entry.created_at, entry.actor.id, "created", entry.resource.id)
    # end sample


def public_audit_log(integration: AuthenticatedClient) -> None:
    # sample: listPublicAuditLog
    created = models.AuditActionInput.API_KEY_CREATED
    for entry in ok(list_public_audit_log.sync(client=integration, action=created)):
        print(entry.created_at, entry.actor.id, "created", entry.resource.id)
    # end sample

    # sample: listPublicAuditLogChanges
    cursor: str | Unset = UNSET
    more = True
    while more:
        page = ok(list_public_audit_log_changes.sync(client=integration, cursor=cursor, limit=100))
        for written in page.items:
            print(written.id, written.action)
        # The next run continues from this cursor. Store it with the items of the page.
        cursor, more = page.cursor, page.has_more
    # end sample

    # sample: exportPublicAuditLog
    created = models.AuditActionInput.API_KEY_CREATED
    file = export_public_audit_log.sync_detailed(client=integration, action=created)
    print(len(file.content), "bytes of CSV")
    # end sample
