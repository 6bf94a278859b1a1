from urllib.parse import urlsplit
from uuid import uuid4

from assay import AuthenticatedClient, Client, models
from assay.api.auth import (
    change_password,
    confirm_email,
    delete_organization,
    forgot_password,
    login,
    logout,
    refresh,
    register,
    reset_password,
    retrieve_me,
    retrieve_organization,
    send_email_confirmation,
    update_me,
    update_organization,
)
from client import ok


def sign_in(url: str, email: str, password: str) -> AuthenticatedClient:
    # sample: login
    # ok() returns the data of the answer, and raises the problem of a refused request.
    credentials = models.LoginRequest(email=email, password=password)
    with Client(base_url=url, raise_on_unexpected_status=True) as anybody:
        signed_in = ok(login.sync(client=anybody, body=credentials))
    assay = AuthenticatedClient(
        base_url=url, token=signed_in.access_token, raise_on_unexpected_status=True
    )
    # end sample
    return assay


def registration(anybody: Client, url: str) -> None:
    """Registers a separate organization, so that no other sample is signed out."""
    email = f"ada-{uuid4()}@example.com"
    password, new_password = str(uuid4()), str(uuid4())

    # sample: register
    registration = models.RegisterRequest(
        organization_name="Analytical Engines", name="Ada Lovelace", email=email, password=password
    )
    registered = ok(register.sync(client=anybody, body=registration))
    print("registered", registered.organization.name)
    # end sample

    refresh_token = registered.refresh_token
    # sample: refresh
    # The refresh token is replaced too: keep the new one.
    renewal = models.RefreshRequest(refresh_token=refresh_token)
    renewed = ok(refresh.sync(client=anybody, body=renewal))
    assay = AuthenticatedClient(
        base_url=url, token=renewed.access_token, raise_on_unexpected_status=True
    )
    # end sample

    with assay:
        # sample: changePassword
        change = models.PasswordChange(current_password=password, new_password=new_password)
        ok(change_password.sync(client=assay, body=change))
        # end sample

    # sample: logout
    ok(logout.sync(client=anybody, body=models.RefreshRequest(renewed.refresh_token)))
    # end sample


def forgotten(anybody: Client, email: str, reset_url: str) -> str:
    """Resets the password of another account, because a reset ends the sign-ins of the person."""
    password = str(uuid4())

    # sample: forgotPassword
    ok(forgot_password.sync(client=anybody, body=models.PasswordForgotten(email)))
    # end sample

    # sample: resetPassword
    reset = models.PasswordReset(token=urlsplit(reset_url).fragment, password=password)
    ok(reset_password.sync(client=anybody, body=reset))
    # end sample
    return password


def leave(assay: AuthenticatedClient, confirm_url: str) -> None:
    """Confirms the address of the other account, and deletes its organization."""
    # sample: sendEmailConfirmation
    # sends nothing if the address is confirmed
    ok(send_email_confirmation.sync(client=assay))
    # end sample

    # sample: confirmEmail
    confirmation = models.EmailConfirmation(token=urlsplit(confirm_url).fragment)
    ok(confirm_email.sync(client=assay, body=confirmation))
    # end sample

    # sample: deleteOrganization
    # only without other members and candidates
    ok(delete_organization.sync(client=assay))
    # end sample


def account(assay: AuthenticatedClient) -> None:
    # sample: retrieveMe
    me = ok(retrieve_me.sync(client=assay))
    print(me.name, "is", me.role, "of", me.organization.name)
    # end sample

    # sample: updateMe
    renamed = ok(update_me.sync(client=assay, body=models.MeUpdate(name="Ada King")))
    print("now called", renamed.name)
    # end sample

    # sample: updateOrganization
    change = models.OrganizationUpdate(
        redirect_url="https://jobs.example/thanks?source=assay", invite_expiry_days=14
    )
    updated = ok(update_organization.sync(client=assay, body=change))
    print(updated.name, "sends candidates back to", updated.redirect_url)
    # end sample

    # sample: retrieveOrganization
    organization = ok(retrieve_organization.sync(client=assay))
    print("invites may be started for", organization.invite_expiry_days, "days")
    # end sample
