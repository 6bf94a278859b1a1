"""Creates the data that operations need to succeed, through the API."""

import base64
import itertools
import json
import time
import urllib.error
import urllib.parse
import urllib.request

PASSWORD = "a long and good pass phrase"
SCOPES = ["assessments:read", "candidates:read", "candidates:write", "results:read", "reviews:read", "reviews:write",
          "results:share", "webhooks:manage", "audit:read", "ats:connect", "assessments:write", "candidates:erase"]
DOMAIN = "fuzz.example"  # run.py verifies it
EVENTS = ["candidate.invited", "candidate.completed", "candidate.disqualified", "assessment.published"]

QUESTIONS = [
    {
        "type": "SINGLE_CHOICE", "prompt": "How long may a compounded syringe be kept?", "points": 4,
        "options": [{"id": "a", "text": "Nine hours"}, {"id": "b", "text": "Two days"}], "correctOptionId": "a",
    },
    {
        "type": "MULTIPLE_CHOICE", "prompt": "Which must be kept cold?", "points": 6, "partialCredit": True,
        "options": [{"id": "x", "text": "Insulin"}, {"id": "y", "text": "Vaccines"}, {"id": "z", "text": "Salt"}],
        "correctOptionIds": ["x", "y"],
    },
    {"type": "NUMERIC", "prompt": "2.5 mg/kg for 70 kg, in mg?", "points": 5, "answer": 175, "tolerance": 0.5},
    {"type": "SHORT_TEXT", "prompt": "What flow does a clean bench have?", "points": 5, "acceptedAnswers": ["laminar"]},
]
FREE_TEXT = {
    "type": "FREE_TEXT", "prompt": "How do you check a delivery?", "points": 4, "maxWords": 100,
    "rubric": [{"id": "cold", "title": "Checks the temperature", "points": 1}, {"id": "rest", "title": "Checks the rest", "points": 3}],
}
# One of these two is drawn for each candidate.
POOL = {"tags": ["cold chain"], "count": 1, "points": 3}
BANK = [
    {"type": "NUMERIC", "prompt": "What is the lowest temperature of a refrigerator, in °C?", "points": 3, "answer": 2},
    {"type": "SHORT_TEXT", "prompt": "What records the temperature?", "points": 3, "acceptedAnswers": ["logger", "data logger"]},
]
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
# Two stages, so that submitting the first does not end the session. No gate,
# because the answers are random.
DEFINITION = {
    "timeLimitMinutes": 10080,
    "title": "Night-shift pharmacist",
    "passingScore": 60,
    "stages": [{"title": "Storage", "questions": QUESTIONS, "pools": [POOL]}, {"title": "Calculation", "questions": [*QUESTIONS, FREE_TEXT]}],
}
# A gate that nobody passes without an answer, and about which a person decides.
JUDGED = {
    "title": "Day-shift pharmacist",
    "stages": [
        {"title": "Storage", "gate": {"required": True, "minScore": 50, "onFail": "REVIEW"}, "questions": QUESTIONS},
        {"title": "Calculation", "questions": QUESTIONS},
    ],
}

# Two questions that people grade, without a rubric, so that any points are valid. After the grade of the first, the
# session still waits, so that the grade can be undone.
GRADED = {
    "title": "Hospital pharmacist",
    "stages": [{"title": "Judgement", "questions": [
        {"type": "FREE_TEXT", "prompt": "Describe an error that you found.", "points": 4},
        {"type": "FREE_TEXT", "prompt": "What did you change?", "points": 4},
    ]}],
}


class Api:
    """Sends requests that must succeed."""

    def __init__(self, url):
        self.url = url

    def __call__(self, method, path, credential=None, body=None, media_type="application/json"):
        headers = dict(credential or {})
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if content is not None:
            headers["Content-Type"] = media_type
        request = urllib.request.Request(self.url + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.code} {error.read().decode()}") from error
        return json.loads(text)["data"] if text else None


KEYS = {
    "SINGLE_CHOICE": ("correctOptionId",), "MULTIPLE_CHOICE": ("correctOptionIds",), "NUMERIC": ("answer", "tolerance"),
    "SHORT_TEXT": ("acceptedAnswers",),
}


def key_of(question):
    return {name: question[name] for name in KEYS[question["type"]]}


def bearer(token):
    return {"Authorization": "Bearer " + token}


class Estate:
    """One organization. Methods create further members, drafts and sessions."""

    def __init__(self, url, listener, known=None):
        self.api = Api(url)
        self._number = itertools.count()
        if known is not None:
            self.__dict__.update(known)
            return
        self.listener = listener
        self.passwords = {}
        self.namespace = "estate"
        owner = self.api("POST", "/v1/auth/register", None, {
            "organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": "owner@example.com", "password": PASSWORD,
        })
        self.owner_id, self.owner_email = owner["user"]["id"], "owner@example.com"
        self.organization_id = owner["organization"]["id"]
        credential = bearer(owner["accessToken"])
        self.domain_id = self.domain(credential, DOMAIN)
        member = self.join(credential, "MEMBER")
        self.member_id, self.member_email = member["user"]["id"], member["user"]["email"]
        self.passwords = {self.owner_email: PASSWORD, self.member_email: PASSWORD}
        key = self.api("POST", "/v1/api-keys", credential, {"name": "fuzzer", "scopes": SCOPES})
        self.key_id, self.key = key["id"], key["key"]
        webhook = self.api("POST", "/v1/webhooks", credential, {"url": listener + "/hook", "events": EVENTS})
        self.webhook_id = webhook["id"]
        self.media_id = self.api("POST", "/v1/media", credential, PICTURE, "image/png")["id"]
        self.bank_ids = [self.bank_question(credential, question) for question in BANK]
        self.assessment_id = self.draft(credential)
        self.api("POST", f"/v1/assessments/{self.assessment_id}/publish", credential)
        stages = self.api("GET", f"/v1/assessments/{self.assessment_id}", credential)["stages"]
        # What a correction can set, by question.
        self.keys = {question["id"]: key_of(question) for stage in stages for question in stage["questions"]
                     if question["type"] in KEYS}
        self.last_stage_id = stages[-1]["id"]
        self.judged_id = self.api("POST", "/v1/assessments", credential, JUDGED)["id"]
        self.judged_stage_id = self.api("POST", f"/v1/assessments/{self.judged_id}/publish", credential)["stages"][0]["id"]
        graded = self.api("POST", "/v1/assessments", credential, GRADED)
        self.graded_id, self.graded_stage = graded["id"], graded["stages"][0]
        self.api("POST", f"/v1/assessments/{self.graded_id}/publish", credential)
        self.answered()
        self.finished_id = self.finished()
        self.comment_id = self.comment(credential)
        self.link_id = self.link(credential)
        self.email_batch_id = self.email_batch(credential)
        self.correction_id = self.correction(credential)
        self.hold_id = self.hold(credential)
        self.segment_id = self.segment(credential)
        self.event_id = self.api("GET", "/v1/events", credential)[0]["id"]

    def domain(self, credential, name):
        return self.api("POST", "/v1/organization/domains", credential, {"domain": name})["id"]

    def hold(self, credential):
        # Not on the assessment whose sessions are erased.
        return self.api("POST", "/v1/legal-holds", credential, {"assessmentId": self.judged_id, "reason": "A claim"})["id"]

    def segment(self, credential):
        path = f"/v1/assessments/{self.assessment_id}/segments"
        return self.api("POST", path, credential, {"name": "First attempts", "filter": {"attempt": 1}})["id"]

    def bank_question(self, credential, question, tags=POOL["tags"]):
        return self.api("POST", "/v1/questions", credential, {"tags": tags, "question": question})["id"]

    def comment(self, credential):
        path = f"/v1/candidate-sessions/{self.finished_id}/review/comments"
        return self.api("POST", path, credential, {"text": "Asked good questions"})["id"]

    def link(self, credential):
        path = f"/v1/candidate-sessions/{self.finished_id}/result-links"
        return self.api("POST", path, credential, {"label": "A reader"})["id"]

    def correction(self, credential):
        body = {"questionId": next(iter(self.keys)), "action": "FULL_POINTS", "reason": "The question was unclear"}
        return self.api("POST", f"/v1/assessments/{self.assessment_id}/corrections", credential, body)["id"]

    def email_batch(self, credential):
        body = {"stateId": "hired", "rows": [{"sessionId": self.finished_id}], "email": {"subject": "S", "text": "T"}}
        return self.api("PUT", "/v1/candidate-sessions/review-states", credential, body)["emailBatchId"]

    def known(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("api", "_number")}

    def unique(self, what):
        return f"{what}-{self.namespace}-{next(self._number)}"

    def tokens(self, email):
        return self.api("POST", "/v1/auth/login", None, {"email": email, "password": self.passwords[email]})

    def sign_in(self, email):
        return bearer(self.tokens(email)["accessToken"])

    def owner(self):
        return self.sign_in(self.owner_email)

    def refresh_token(self, email):
        return self.tokens(email)["refreshToken"]

    def invitation(self, credential, role="MEMBER"):
        invited = self.api("POST", "/v1/members", credential, {
            "name": "Katherine Johnson", "email": self.unique("member") + "@example.com", "role": role,
        })
        return invited["id"], invited["invitationUrl"].partition("#")[2]

    def join(self, credential, role):
        _, token = self.invitation(credential, role)
        return self.api("POST", "/v1/auth/accept-invitation", None, {"token": token, "password": PASSWORD})

    def reset_token(self, credential):
        """Adds a person who forgets the password, and returns the token of the link that resets it."""
        address = self.join(credential, "MEMBER")["user"]["email"]
        self.api("POST", "/v1/auth/forgot-password", None, {"email": address})
        patience = time.monotonic() + 60
        while time.monotonic() < patience:
            try:
                with urllib.request.urlopen(self.listener + "/" + urllib.parse.quote(address), timeout=30) as answer:
                    return answer.read().decode()
            except urllib.error.HTTPError:
                time.sleep(0.1)  # the email is on its way
        raise RuntimeError(f"no email to {address}")

    def draft(self, credential):
        instructions = f"![A refrigerator](media:{self.media_id})\n\nUse $m = 2.5 \\times w$."
        return self.api("POST", "/v1/assessments", credential, {**DEFINITION, "instructions": instructions})["id"]

    def invite(self, assessment_id=None):
        """Invites a candidate, and returns the session's id and the link's token."""
        session = self.api("POST", "/v1/public/candidate-sessions", {"X-API-Key": self.key}, {
            "assessmentId": assessment_id or self.assessment_id, "candidateName": "Grace Hopper",
            "candidateEmail": self.unique("candidate") + "@example.com",
        })
        return session["id"], session["inviteUrl"].partition("#")[2]

    def start(self, token):
        """Starts a session. A generated request may have made the organization ask for an acknowledgement."""
        self.api("POST", "/v1/candidate/session/start", bearer(token), {"acknowledged": True})

    def started(self):
        """Invites a candidate, starts the session, and returns its id."""
        session, token = self.invite()
        self.start(token)
        return session

    def judged(self):
        """Invites a candidate who does not pass a gate, and returns the id of the session, which waits for a person."""
        session, token = self.invite(self.judged_id)
        self.start(token)
        self.api("POST", "/v1/candidate/session/stage/submit", bearer(token), {"stageId": self.judged_stage_id})
        return session

    def answered(self):
        """Invites a candidate whose answers wait for grades."""
        _, token = self.invite(self.graded_id)
        self.start(token)
        for question in self.graded_stage["questions"]:
            path = f"/v1/candidate/session/answers/{question['id']}"
            self.api("PUT", path, bearer(token), {"text": "Two labels were exchanged."})
        self.api("POST", "/v1/candidate/session/stage/submit", bearer(token), {"stageId": self.graded_stage["id"]})

    def claimed(self, credential):
        """Returns the id of a claim of a person, on an answer to the first question."""
        self.answered()
        wanted = {"assessmentId": self.graded_id, "questionId": self.graded_stage["questions"][0]["id"]}
        return self.api("POST", "/v1/grading/claims", credential, wanted)["claim"]["id"]

    def graded(self, credential):
        """Grades an answer, and returns the id of the claim."""
        claim = self.claimed(credential)
        self.api("POST", f"/v1/grading/claims/{claim}/grade", credential, {"points": 2, "claimNext": False})
        return claim

    def finished(self):
        """Invites a candidate, finishes the session, and returns its id."""
        return self.finish()[0]

    def finish(self):
        """Invites a candidate, finishes the session, and returns its id and the link's token."""
        session, token = self.invite()
        self.start(token)
        for _ in DEFINITION["stages"]:
            stage = self.api("GET", "/v1/candidate/session/stage", bearer(token))
            self.api("POST", "/v1/candidate/session/stage/submit", bearer(token), {"stageId": stage["id"]})
        return session, token
