from assay import AuthenticatedClient, models
from assay.api.api_keys import (
    create_api_key,
    list_api_keys,
    retrieve_api_key,
    retrieve_public_me,
    revoke_api_key,
)
from client import ok


def create(assay: AuthenticatedClient, url: str) -> tuple[AuthenticatedClient, str]:
    # sample: createApiKey
    # The key is in this answer only.
    scope = models.ApiKeyScopeInput
    scopes = [
        scope.CANDIDATES_READ,
        scope.CANDIDATES_WRITE,
        scope.RESULTS_READ,
        scope.ASSESSMENTS_READ,
        scope.REVIEWS_READ,
        scope.REVIEWS_WRITE,
        scope.RESULTS_SHARE,
        scope.WEBHOOKS_MANAGE,
        scope.AUDIT_READ,
        scope.ASSESSMENTS_WRITE,
        scope.CANDIDATES_ERASE,
    ]
    careers_site = models.ApiKeyCreate(name="Careers site", scopes=scopes)
    api_key = ok(create_api_key.sync(client=assay, body=careers_site))
    integration = AuthenticatedClient(
        base_url=url,
        token=api_key.key,
        prefix="",
        auth_header_name="X-API-Key",
        raise_on_unexpected_status=True,
    )
    # end sample

    # sample: listApiKeys
    for key in ok(list_api_keys.sync(client=assay)):
        print(key.name, f"{key.prefix}…{key.last4}", *key.scopes)
    # end sample

    return integration, api_key.id


def check(integration: AuthenticatedClient) -> None:
    # sample: retrievePublicMe
    me = ok(retrieve_public_me.sync(client=integration))
    print(me.organization.name, "permits", *me.scopes)
    # end sample


def revoke(assay: AuthenticatedClient, api_key_id: str) -> None:
    # sample: retrieveApiKey
    api_key = ok(retrieve_api_key.sync(api_key_id, client=assay))
    print(api_key.name, "was last used at", api_key.last_used_at)
    # end sample

    # sample: revokeApiKey
    ok(revoke_api_key.sync(api_key_id, client=assay))
    # end sample
