from assay import AuthenticatedClient, Client, models
from assay.api.auth import (
    create_sign_in_domain,
    create_sign_in_recovery_codes,
    delete_sign_in_domain,
    delete_sign_in_provider,
    list_sign_in_domains,
    replace_sign_in_provider,
    retrieve_sign_in_provider,
    start_provider_sign_in,
    verify_sign_in_domain,
)
from client import ok


def provider(anybody: Client, assay: AuthenticatedClient) -> None:
    """Lets members sign in with the provider of their company."""
    # sample: createSignInDomain
    wanted = models.SignInDomainCreate("analytical-engines.example")
    domain = ok(create_sign_in_domain.sync(client=assay, body=wanted))
    print("publish", domain.txt_value, "as a TXT record of", domain.txt_name)
    # end sample

    # sample: verifySignInDomain
    verified = ok(verify_sign_in_domain.sync(domain.id, client=assay))
    print(verified.domain, "is", verified.state)
    # end sample

    # sample: listSignInDomains
    for one in ok(list_sign_in_domains.sync(client=assay)):
        print(one.domain, "is", one.state)
    # end sample

    # sample: replaceSignInProvider
    replacement = models.SignInProviderReplacement(
        issuer="https://login.analytical-engines.example",
        client_id="assay",
        client_secret="Zk4sW9qT2vLx",
        create_members=True,
        default_role=models.ProviderRoleInput.MEMBER,
    )
    replaced = ok(replace_sign_in_provider.sync(client=assay, body=replacement))
    print("register", replaced.callback_url, "at the provider")
    # end sample

    # sample: retrieveSignInProvider
    present = ok(retrieve_sign_in_provider.sync(client=assay))
    print(present.issuer, "last worked at", present.last_succeeded_at)
    # end sample

    email = "mary@analytical-engines.example"
    # sample: startProviderSignIn
    started = ok(start_provider_sign_in.sync(client=anybody, body=models.ProviderSignInStart(email)))
    print("open", started.start_url, "in the browser of the person")
    # end sample

    # sample: createSignInRecoveryCodes
    created = ok(create_sign_in_recovery_codes.sync(client=assay))
    print("keep these codes for the owners:", created.codes)
    # end sample

    # sample: deleteSignInProvider
    ok(delete_sign_in_provider.sync(client=assay))
    # end sample

    # sample: deleteSignInDomain
    ok(delete_sign_in_domain.sync(domain.id, client=assay))
    # end sample
