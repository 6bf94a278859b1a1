from assay import AuthenticatedClient, models
from assay.api.audit_log import list_audit_log
from client import ok


def audit_log(assay: AuthenticatedClient) -> None:
    # sample: listAuditLog
    for entry in ok(list_audit_log.sync(client=assay, action=models.AuditActionInput.API_KEY_CREATED)):
        print(entry.created_at, entry.actor.id, "created", entry.resource.id)
    # end sample
