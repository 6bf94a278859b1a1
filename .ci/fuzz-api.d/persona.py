"""The kinds of credential, each with the state of a client that uses it."""

import time

from estate import Estate, bearer
from sign_ins import GUARDED, MAX_FACTORS, Guarded
from sign_ins import LIFE as PROOF_LIFE

LIFE = 600  # seconds of use of an access token, which is valid for 900
# In the order of the runs. The owner is last, because it can delete the most.
SCHEMES = {"nobody": None, "candidate": "candidateAuth", "key": "apiKeyAuth", "member": "bearerAuth", "owner": "bearerAuth"}


AFTER_THE_END = ("retrieveOwnSelfIdentification", "saveOwnSelfIdentification")


class Persona:
    def __init__(self, name, url, known):
        self.name = name
        self.scheme = SCHEMES[name]
        self.role = name.upper()
        self.estate = Estate(url, None, {**known, "namespace": name})
        self.listener = self.estate.listener
        self._owner = self._own = None, 0.0
        self._guarded = None
        self.leaving = {}  # the refresh token by the Authorization of a sign-in that switchOrganization ends
        self.stage = None
        if name == "candidate":
            _, self.finished_token = self.estate.finish()
            self.next_session()

    @property
    def email(self):
        return self.estate.member_email if self.name == "member" else self.estate.owner_email

    def owner(self):
        """Returns the owner's credential, to create what this persona needs."""
        if self.name == "owner":
            return self.credential()  # the persona ends its other sign-ins
        token, since = self._owner
        if time.monotonic() - since > LIFE or token is None:
            token = self.estate.owner()
            self._owner = token, time.monotonic()
        return token

    def credential(self, operation=None):
        if self.name == "candidate" and operation in AFTER_THE_END:
            return bearer(self.finished_token)
        match self.name:
            case "nobody":
                return None
            case "key":
                return {"X-API-Key": self.estate.key}
            case "candidate":
                return bearer(self.invite_token)
        if operation in GUARDED:
            return self.guarded().credential
        if operation == "switchOrganization":
            tokens = self.estate.tokens(self.email)
            credential = bearer(tokens["accessToken"])
            self.leaving[credential["Authorization"]] = tokens["refreshToken"]
            return credential
        token, since = self._own
        if time.monotonic() - since > LIFE or token is None:
            token = self.estate.sign_in(self.email)
            self._own = token, time.monotonic()
        return token

    def guarded(self):
        """Returns a person with a second factor."""
        one = self._guarded
        if one is None or time.monotonic() - one.since > PROOF_LIFE or one.factors > MAX_FACTORS:
            self._guarded = one = Guarded(self.estate, self.owner())
        return one

    def needs(self, factor):
        """Reports whether the person with a second factor signs in with this one."""
        return self._guarded is not None and self._guarded.factor_id == factor

    def changed_password(self, password):
        """Records the password. The change ended the person's other logins."""
        self.estate.passwords[self.email] = password
        self._owner = None, 0.0

    def next_session(self):
        """Switches to a new candidate whose session is started."""
        _, self.invite_token = self.estate.invite()
        self.estate.start(self.invite_token)
        self.look_at_stage()

    def look_at_stage(self):
        self.stage = self.estate.api("GET", "/v1/candidate/session/stage", bearer(self.invite_token))

    def is_admitted(self, operation):
        return self.scheme_of(operation) in (None, self.scheme)

    @staticmethod
    def scheme_of(operation):
        """Returns the security scheme of an operation, or None if it needs none."""
        for requirement in operation.definition.raw["security"]:
            return next(iter(requirement))
        return None
