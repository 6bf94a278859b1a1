"""What the operations of second factors and of sign-in providers need to succeed."""

import base64
import hmac
import json
import time
import urllib.error
import urllib.request

from estate import PASSWORD, bearer

LIFE = 480  # seconds of use of a proof of the second factor, which counts for 600
# A person with a second factor sends these. The other people of the run have none, because their sign-ins would need it.
GUARDED = {
    "retrieveSecondFactors", "createSecondFactor", "confirmSecondFactor", "deleteSecondFactor", "createRecoveryCodes", "reauthenticate",
    "createReauthenticationOptions",
}
MAX_FACTORS = 8  # of 10


def totp(secret):
    """Returns the code that an authenticator app shows now (RFC 6238)."""
    digest = hmac.digest(base64.b32decode(secret), int(time.time() // 30).to_bytes(8, "big"), "sha1")
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at:at + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


class Guarded:
    """A person with a second factor."""

    def __init__(self, estate, owner):
        self.api = estate.api
        joined = estate.join(owner, "MEMBER")
        self.email, self.credential = joined["user"]["email"], bearer(joined["accessToken"])
        self.factors, self.since = 0, time.monotonic()
        self.factor_id, secret = self.begin()
        self.codes = self.confirm(self.factor_id, secret)["recoveryCodes"]

    def begin(self):
        """Begins to add an authenticator app, and returns the second factor's id and secret."""
        self.factors += 1
        begun = self.api("POST", "/v1/me/second-factors", self.credential, {"type": "TOTP", "name": "Phone", "password": PASSWORD})
        return begun["id"], begun["secret"]

    def confirm(self, factor, secret):
        return self.api("POST", f"/v1/me/second-factors/{factor}/confirm", self.credential, {"code": totp(secret)})

    def code(self):
        """Returns a recovery code."""
        if not self.codes:
            self.codes = self.api("POST", "/v1/me/recovery-codes", self.credential)["codes"]
        return self.codes.pop()

    def challenge(self):
        """Signs in with the password only, and returns the challenge."""
        body = json.dumps({"email": self.email, "password": PASSWORD}).encode()
        request = urllib.request.Request(self.api.url + "/v1/auth/login", body, {"Content-Type": "application/json"}, method="POST")
        try:
            urllib.request.urlopen(request, timeout=30)
        except urllib.error.HTTPError as error:
            return json.load(error)["secondFactor"]["challenge"]
        raise RuntimeError(f"{self.email} signs in without the second factor")


class SignIns:
    """The part of Filling for these operations."""

    secret = None  # of the second factor in the path

    def guarded(self):
        return self.persona.guarded()

    def id_for_confirmSecondFactor(self):
        factor, self.secret = self.guarded().begin()
        return factor

    def id_for_deleteSecondFactor(self):
        person = self.guarded()  # the next call can return another person
        factor, secret = person.begin()
        person.confirm(factor, secret)
        return factor

    def id_for_verifySignInDomain(self):
        return self.estate.domain_id

    def id_for_deleteSignInDomain(self):
        if self.persona.role != "OWNER":
            return None
        return self.estate.domain(self.persona.owner(), "removed.example")

    def body_of_switchOrganization(self, body, case):
        body["organizationId"] = self.estate.organization_id
        # Several requests may be prepared before the first is sent, and a check may replace the credential.
        body["refreshToken"] = self.persona.leaving.get(case.headers.get("Authorization"), body.get("refreshToken"))

    def body_of_createSecondFactor(self, body, case):
        body["type"], body["password"] = "TOTP", PASSWORD

    def body_of_confirmSecondFactor(self, body, case):
        if self.secret is not None:
            body.clear()
            body["code"], self.secret = totp(self.secret), None

    def body_of_reauthenticate(self, body, case):
        body.clear()
        body["code"] = self.guarded().code()

    def body_of_completeSignIn(self, body, case):
        body.clear()
        body["challenge"], body["code"] = self.guarded().challenge(), self.guarded().code()

    def body_of_createPasskeyOptions(self, body, case):
        body["challenge"] = self.guarded().challenge()

    def body_of_createSignInDomain(self, body, case):
        body["domain"] = self.random.choice(["one.example", "two.example"])  # an organization has at most 20

    def body_of_replaceSignInProvider(self, body, case):
        body.update(issuer="https://login.fuzz.example", clientSecret="a secret", required=False, roleClaim="groups")

    def learn_sign_in(self, operation, answer):
        if operation == "createSecondFactor":
            self.guarded().factors += 1
        if operation == "createRecoveryCodes":
            self.guarded().codes = answer["data"]["codes"]
