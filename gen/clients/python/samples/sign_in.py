import base64
import hmac
import time

from assay import AuthenticatedClient, Client, models
from assay.api.auth import (
    complete_sign_in,
    confirm_second_factor,
    create_passkey_options,
    create_reauthentication_options,
    create_recovery_codes,
    create_second_factor,
    delete_second_factor,
    list_memberships,
    login,
    reauthenticate,
    retrieve_second_factors,
    switch_organization,
)
from client import ok


def totp(secret: str) -> str:
    """Returns the code that an authenticator app shows now for a secret in Base32 (RFC 6238)."""
    step = int(time.time() // 30).to_bytes(8, "big")
    digest = hmac.digest(base64.b32decode(secret), step, "sha1")
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at : at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def passkeys(anybody: Client, url: str, email: str, password: str, recovery_codes: list[str]) -> None:
    """Signs in a person who has a passkey and recovery codes."""
    problem = login.sync(client=anybody, body=models.LoginRequest(email=email, password=password))
    assert isinstance(problem, models.Problem) and problem.second_factor
    challenge = problem.second_factor.challenge
    # sample: createPasskeyOptions
    request = models.PasskeyOptionsRequest(challenge)
    options = ok(create_passkey_options.sync(client=anybody, body=request))
    print("a browser asks for the passkey with", options.public_key)
    # end sample

    recovery_code, other_code = recovery_codes[:2]
    # sample: completeSignIn
    # challenge is second_factor.challenge of the problem that the sign-in has returned.
    completion = models.SignInCompletion(challenge=challenge, code=recovery_code)
    signed_in = ok(complete_sign_in.sync(client=anybody, body=completion))
    assay = AuthenticatedClient(
        base_url=url, token=signed_in.access_token, raise_on_unexpected_status=True
    )
    # end sample

    # sample: listMemberships
    memberships = ok(list_memberships.sync(client=assay))
    for membership in memberships:
        print(membership.role, "of", membership.organization.name)
    # end sample

    organization_id, refresh_token = memberships[0].organization.id, signed_in.refresh_token
    # sample: switchOrganization
    # From now on, use the new tokens.
    switch = models.OrganizationSwitch(organization_id, refresh_token)
    switched = ok(switch_organization.sync(client=assay, body=switch))
    assay = AuthenticatedClient(
        base_url=url, token=switched.access_token, raise_on_unexpected_status=True
    )
    # end sample
    second_factors(assay, password, other_code)


def second_factors(assay: AuthenticatedClient, password: str, other_code: str) -> None:
    """Adds an authenticator app for a person, and removes it."""
    # sample: createSecondFactor
    wanted = models.SecondFactorCreate(
        type_=models.SecondFactorTypeInput.TOTP, name="Phone", password=password
    )
    factor = ok(create_second_factor.sync(client=assay, body=wanted))
    print("show this as a QR code until", factor.expires_at, factor.uri)
    # end sample

    assert factor.secret is not None
    code = totp(factor.secret)
    # sample: confirmSecondFactor
    confirmation = models.SecondFactorConfirmation(code=code)
    confirmed = ok(confirm_second_factor.sync(factor.id, client=assay, body=confirmation))
    print("keep these codes:", confirmed.recovery_codes)
    # end sample

    # sample: retrieveSecondFactors
    present = ok(retrieve_second_factors.sync(client=assay))
    print(len(present.factors), "second factors,", present.recovery_codes_left, "recovery codes")
    # end sample

    # sample: createReauthenticationOptions
    options = ok(create_reauthentication_options.sync(client=assay))
    print("a browser asks for the passkey with", options.public_key)
    # end sample

    # sample: reauthenticate
    ok(reauthenticate.sync(client=assay, body=models.Reauthentication(code=other_code)))
    # end sample

    # sample: createRecoveryCodes
    new_codes = ok(create_recovery_codes.sync(client=assay))
    print("only these codes work now:", new_codes.codes)
    # end sample

    # sample: deleteSecondFactor
    ok(delete_second_factor.sync(factor.id, client=assay))
    # end sample
