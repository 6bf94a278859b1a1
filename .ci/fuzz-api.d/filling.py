"""Puts existing ids and values into generated requests, so that they can succeed.

Changes only the valid parts of a request. Parts that are invalid on purpose stay as they are.
"""

import base64
import collections
import datetime
import json
import random
import re
import urllib.parse

from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

from estate import BANK
from files import questions
from sign_ins import SignIns

REAL = re.compile(r"\b(usr|key|asm|ses|evt|whk|dlv|aud|qbk|med|hld|seg|fct|dom)_[0-9a-hjkmnp-tv-z]{26}\b")
EXAMPLE = "01kae3v5zg8r6w2c4n7q9t1x3y"  # the id in the examples of openapi.yaml
KINDS = {
    "members": "usr", "api-keys": "key", "assessments": "asm", "candidate-sessions": "ses", "events": "evt", "webhooks": "whk",
    "questions": "qbk", "media": "med", "legal-holds": "hld", "segments": "seg", "second-factors": "fct", "domains": "dom",
}
HARMFUL = {
    "removeMember", "updateMember", "revokeApiKey", "deleteWebhook", "deletePublicWebhook", "archiveAssessment", "deleteAssessment",
    "eraseCandidateData", "erasePublicCandidateData", "eraseCandidateDataByEmail", "erasePublicCandidateDataByEmail",
    "scheduleOrganizationDeletion", "reopenCandidateSession", "ruleCandidateSession", "updateQuestion", "deleteQuestion", "deleteMedia",
    "deleteLegalHold", "deleteSegment", "deleteSecondFactor", "deleteSignInDomain",
}
SEGMENTED = ("retrieveAssessmentStatistics", "retrieveAssessmentQuestionStatistics", "retrieveSegmentComparison")
IMPORTS = ("importAssessment", "importPublicAssessment")
SHARE = 0.8  # of the requests get existing values


PERCENTAGES = {"passingScore", "minScore", "maxScore", "maxDifferencePercent"}  # at most two decimals (x-decimals), which JSON Schema cannot express


def with_decimals(value):
    if isinstance(value, list):
        return [with_decimals(item) for item in value]
    if isinstance(value, dict):
        return {
            name: round(item, 2) if name in PERCENTAGES and isinstance(item, float) else with_decimals(item) for name, item in value.items()
        }
    return value


class Filling(SignIns):
    def __init__(self, persona, seed):
        self.persona = persona
        self.estate = persona.estate
        self.random = random.Random(seed)
        self.ids = collections.defaultdict(lambda: collections.deque(maxlen=50))
        self.deliveries = collections.deque(maxlen=50)  # webhook, delivery
        self.refresh_tokens = collections.deque(maxlen=20)
        self.corrections = 0
        self.result_tokens = collections.deque(maxlen=20)
        estate = self.estate
        self.protected = {
            estate.finished_id, estate.assessment_id, estate.webhook_id, estate.key_id, estate.owner_id, estate.member_id, estate.media_id,
            estate.hold_id, estate.judged_id, estate.domain_id,
            *estate.bank_ids,
        }
        for one in sorted(self.protected):
            self.ids[one[:3]].append(one)
        root = {"bearerAuth": "/v1", "apiKeyAuth": "/v1/public"}.get(persona.scheme)
        if root is not None:
            for delivery in self.estate.api("GET", f"{root}/webhooks/{self.estate.webhook_id}/deliveries", persona.credential()):
                self.deliveries.append((delivery["webhookId"], delivery["id"]))

    def fill(self, case):
        operation = case.operation.definition.raw["operationId"]
        self.keep_on_loopback(case, operation)
        self.protect(case, operation)
        if not self.is_negative(case, ParameterLocation.BODY):
            case.body = with_decimals(case.body)
        if not self.is_negative(case, ParameterLocation.QUERY):
            case.query = with_decimals(case.query)
        if not self.persona.is_admitted(case.operation):
            return
        linked = case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL
        as_generated = self.random.random() > SHARE
        # A repeated key repeats a response. Its resource may be deleted when a link is followed.
        if "Idempotency-Key" in case.headers and not self.is_negative(case, ParameterLocation.HEADER) and (linked or not as_generated):
            case.headers["Idempotency-Key"] = f"{self.random.getrandbits(64):x}"
        if as_generated:
            return
        if case.path_parameters and not self.is_negative(case, ParameterLocation.PATH):
            self.fill_path(case, operation, linked)
        if operation in SEGMENTED and case.query and not self.is_negative(case, ParameterLocation.QUERY):
            case.query = {name: value for name, value in case.query.items() if name not in ("segmentId", "with")}
        if operation in IMPORTS:
            case.body = questions(self.random)
        if isinstance(case.body, dict) and not self.is_negative(case, ParameterLocation.BODY):
            change = getattr(self, "body_of_" + operation, None)
            if change is not None:
                body = {**case.body}
                change(body, case)
                case.body = body

    @staticmethod
    def is_negative(case, location):
        return case.meta is None or case.meta.is_negative_at(location)

    def keep_on_loopback(self, case, operation):
        """Replaces webhook addresses that are not on loopback, because the server would call them."""
        if operation not in ("createWebhook", "updateWebhook", "createPublicWebhook", "updatePublicWebhook") or not isinstance(case.body, dict) or "url" not in case.body:
            return
        url = case.body["url"]
        if isinstance(url, str) and self.is_loopback(url):
            return
        # An invalid address stays invalid, in a form that cannot be called.
        case.body = {**case.body, "url": "nowhere" if self.is_negative(case, ParameterLocation.BODY) else self.estate.listener + "/hook"}

    def is_loopback(self, url):
        return loopback(url) == loopback(self.estate.listener)

    # Paths.

    def fill_path(self, case, operation, linked):
        values, steps = dict(case.path_parameters), case.path.split("/")
        if linked and operation in HARMFUL:
            return  # the resource may be one that a later step of the sequence uses
        for before, step in zip(steps, steps[1:]):
            name = step.strip("{}")
            if step.startswith("{") and name in values and not (linked and is_real(values[name])):
                value = self.value_for(before, operation, name)
                if value is not None:
                    values[name] = value
        if "deliveryId" in values and self.deliveries and not (linked and is_real(values["deliveryId"])):
            usual = [one for one in self.deliveries if one[0] == self.estate.webhook_id]
            values["id"], values["deliveryId"] = self.random.choice(usual or self.deliveries)
            if "edeliver" in operation:
                self.id_for_replayWebhook()
        if operation in ("listAssessmentQuestionAnswers", "gradeCandidateSessionAnswer"):
            values["questionId"] = self.random.choice(list(self.estate.keys))
        if operation == "updateReviewComment":
            values["id"], values["commentId"] = self.estate.finished_id, self.estate.comment_id
        if operation == "deleteReviewComment":
            values["id"], values["commentId"] = self.estate.finished_id, self.estate.comment(self.persona.owner())
        if operation in ("revokeResultLink", "revokePublicResultLink"):
            values["id"], values["linkId"] = self.estate.finished_id, self.estate.link_id
        if operation == "retrieveAssessmentCorrection":
            values["id"], values["correctionId"] = self.estate.assessment_id, self.estate.correction_id
        if operation == "withdrawAssessmentCorrection":
            # An assessment has at most 200 corrections, and each withdrawal is one.
            self.corrections += 1
            made = self.estate.correction(self.persona.owner()) if self.corrections < 20 else self.estate.correction_id
            values["id"], values["correctionId"] = self.estate.assessment_id, made
        if operation == "retrieveSegmentComparison":
            values["id"], values["segmentId"] = self.estate.assessment_id, self.estate.segment_id
        if operation == "deleteSegment":
            values["segmentId"] = "seg_" + EXAMPLE
        if operation == "retrieveResultRevision":
            values["revision"] = "1"
        if values != case.path_parameters:
            case.path_parameters = values

    def value_for(self, collection, operation, name):
        make = getattr(self, "id_for_" + operation, None) if name == "id" else None
        if make is not None:
            return make()
        if collection == "results":
            if not self.result_tokens:
                path = f"/v1/public/candidate-sessions/{self.estate.finished_id}/result-token"
                self.result_tokens.append(self.estate.api("POST", path, {"X-API-Key": self.estate.key})["token"])
            return self.random.choice(self.result_tokens)
        if collection == "answers":
            return self.random.choice(self.persona.stage["questions"])["id"] if self.persona.stage else None
        if operation in HARMFUL:
            return self.harmless(KINDS[collection])
        known = self.ids[KINDS.get(collection)]
        return self.random.choice(known) if known else None

    def protect(self, case, operation):
        """Protects the resources that all other requests need."""
        one = (case.path_parameters or {}).get("id")
        if operation == "endSignIn" and one is not None and one.startswith("lgn_"):
            case.path_parameters = {**case.path_parameters, "id": self.id_for_endSignIn()}  # never the persona's own
        if operation == "verifySignInDomain" and is_real(one):
            case.path_parameters = {**case.path_parameters, "id": self.estate.domain_id}  # another domain would be looked up in DNS
        if operation in HARMFUL and (one in self.protected or self.persona.needs(one)):
            case.path_parameters = {**case.path_parameters, "id": one[:4] + EXAMPLE}

    def harmless(self, kind):
        known = [one for one in self.ids[kind] if one not in self.protected]
        return self.random.choice(known) if known else kind + "_" + EXAMPLE

    # Random requests rarely have the resources that these operations need.

    def mostly(self, prepared, kind):
        return prepared if self.random.random() < 0.7 or not self.ids[kind] else self.random.choice(self.ids[kind])

    def id_for_retrieveEvent(self):
        return self.mostly(self.estate.event_id, "evt")

    id_for_retrievePublicEvent = id_for_retrieveEvent

    def id_for_publishAssessment(self):
        return self.estate.draft(self.persona.owner()) if self.persona.role == "OWNER" else None

    id_for_updateAssessment = id_for_publishAssessment
    id_for_deleteAssessment = id_for_publishAssessment

    def id_for_archiveAssessment(self):
        if self.persona.role != "OWNER":
            return None
        one = self.estate.draft(self.persona.owner())
        self.estate.api("POST", f"/v1/assessments/{one}/publish", self.persona.owner())
        return one

    def id_for_updateQuestion(self):
        return self.estate.bank_question(self.persona.owner(), BANK[0], []) if self.persona.role == "OWNER" else None

    id_for_deleteQuestion = id_for_updateQuestion

    def id_for_retrieveQuestionStatistics(self):
        return self.mostly(self.estate.bank_ids[0], "qbk")

    def id_for_createResultLink(self):
        return self.mostly(self.estate.finished_id, "ses")

    id_for_createPublicResultLink = id_for_createResultLink

    def id_for_retrieveMedia(self):
        return self.mostly(self.estate.media_id, "med")

    def id_for_retrieveLegalHold(self):
        return self.mostly(self.estate.hold_id, "hld")

    def id_for_deleteLegalHold(self):
        return self.estate.hold(self.persona.owner()) if self.persona.role in ("OWNER", "ADMIN") else None

    def id_for_retrieveAssessmentRetention(self):
        return self.mostly(self.estate.assessment_id, "asm")

    id_for_replaceAssessmentRetention = id_for_deleteAssessmentRetention = id_for_retrieveAssessmentRetention

    def id_for_exportAssessment(self):
        return self.mostly(self.estate.assessment_id, "asm")

    id_for_exportPublicAssessment = id_for_exportAssessment

    def id_for_retrievePublicAssessment(self):
        return self.mostly(self.estate.assessment_id, "asm")

    def id_for_retrieveGradingAgreement(self):
        return self.mostly(self.estate.graded_id, "asm")

    def id_for_listIntegrationExchanges(self):
        body = {"partner": "ashby", "callbackKey": "a-key"}
        return self.estate.api("PUT", "/v1/integrations", self.persona.owner(), body)["id"]

    id_for_disconnectIntegration = id_for_listIntegrationExchanges

    def id_for_resendMemberInvitation(self):
        return self.estate.invitation(self.persona.owner())[0] if self.persona.role == "OWNER" else None

    def id_for_endSignIn(self):
        payload = self.estate.refresh_token(self.persona.email).split(".")[1]
        return json.loads(base64.urlsafe_b64decode(payload + "=="))["sid"]

    id_for_removeMember = id_for_resendMemberInvitation
    id_for_updateMember = id_for_resendMemberInvitation

    def id_for_resendCandidateSession(self):
        return self.mostly(self.estate.invite()[0], "ses")

    id_for_resendPublicCandidateSession = id_for_resendCandidateSession
    id_for_cancelCandidateSession = id_for_resendCandidateSession
    id_for_cancelPublicCandidateSession = id_for_resendCandidateSession

    def id_for_extendCandidateSession(self):
        return self.mostly(self.estate.started(), "ses")

    def id_for_retrieveCandidateSessionResult(self):
        return self.mostly(self.estate.finished_id, "ses")

    id_for_retrievePublicCandidateSessionResult = id_for_retrieveCandidateSessionResult
    id_for_createResultToken = id_for_retrieveCandidateSessionResult

    def id_for_reopenCandidateSession(self):
        return self.mostly(self.estate.finished(), "ses")

    def id_for_ruleCandidateSession(self):
        return self.mostly(self.estate.judged(), "ses")

    def id_for_retrieveOpenDecision(self):
        return self.mostly(self.estate.judged(), "ses")

    # A claim belongs to one person, so each persona makes its own.

    def id_for_saveClaimDraft(self):
        return self.estate.claimed(self.persona.credential())

    id_for_gradeClaim = id_for_saveClaimDraft
    id_for_releaseClaim = id_for_saveClaimDraft

    def id_for_undoClaim(self):
        return self.estate.graded(self.persona.credential())

    def id_for_gradeCandidateSessionAnswer(self):
        return self.mostly(self.estate.finished_id, "ses")

    id_for_retrieveResultRevision = id_for_gradeCandidateSessionAnswer
    id_for_previewReviewEmail = id_for_gradeCandidateSessionAnswer
    id_for_cancelReviewEmail = id_for_gradeCandidateSessionAnswer
    id_for_cancelPublicReviewEmail = id_for_gradeCandidateSessionAnswer

    def id_for_cancelReviewEmails(self):
        return self.estate.email_batch_id

    id_for_cancelPublicReviewEmails = id_for_cancelReviewEmails

    def id_for_createAssessmentCorrection(self):
        return self.mostly(self.estate.assessment_id, "asm")

    id_for_previewAssessmentCorrection = id_for_createAssessmentCorrection
    id_for_listAssessmentQuestionAnswers = id_for_createAssessmentCorrection

    def id_for_replaceCutScoreRatings(self):
        return self.estate.assessment_id

    def id_for_createSegment(self):
        # An assessment has at most 10 segments.
        return self.estate.draft(self.persona.owner()) if self.persona.role == "OWNER" else self.estate.judged_id

    def id_for_listDeliveries(self):
        return self.mostly(self.estate.webhook_id, "whk")

    def id_for_replayWebhook(self):
        # Another request may have disabled it.
        self.estate.api("PATCH", f"/v1/webhooks/{self.estate.webhook_id}", self.persona.owner(), {"enabled": True})
        return self.estate.webhook_id

    id_for_replayPublicWebhook = id_for_replayWebhook
    id_for_listPublicDeliveries = id_for_listDeliveries
    id_for_testPublicWebhook = id_for_rotatePublicWebhookSecret = id_for_listDeliveries
    id_for_testWebhook = id_for_listDeliveries
    id_for_rotateWebhookSecret = id_for_listDeliveries

    # Bodies.

    def body_of_login(self, body, case):
        body["email"], body["password"] = self.persona.email, self.estate.passwords[self.persona.email]

    def body_of_refresh(self, body, case):
        if not self.refresh_tokens:
            self.refresh_tokens.append(self.estate.refresh_token(self.estate.member_email))
        body["refreshToken"] = self.refresh_tokens.pop()

    body_of_logout = body_of_refresh

    def body_of_acceptInvitation(self, body, case):
        _, body["token"] = self.estate.invitation(self.persona.owner())

    def body_of_resetPassword(self, body, case):
        if self.random.random() < 0.7:  # each makes an account
            body["token"] = self.estate.reset_token(self.persona.owner())

    def body_of_changePassword(self, body, case):
        body["currentPassword"] = self.estate.passwords[self.persona.email]

    def body_of_createMember(self, body, case):
        body["email"] = self.estate.unique("member") + "@example.com"  # unique across all organizations

    body_of_register = body_of_createMember

    def body_of_createCandidateSession(self, body, case):
        body["assessmentId"] = self.estate.assessment_id

    body_of_createPublicCandidateSession = body_of_createCandidateSession

    def body_of_bulkCreatePublicCandidateSessions(self, body, case):
        body["rows"] = [{**row, "assessmentId": self.estate.assessment_id} for row in body["rows"]]

    def body_of_ruleCandidateSession(self, body, case):
        body["stageId"] = self.estate.judged_stage_id

    def body_of_gradeCandidateSessionAnswer(self, body, case):
        body.setdefault("reason", "The key is wrong")
        body.pop("rubric", None)  # only a question in free text has one
        if body["points"] is not None:
            body["points"] = self.random.choice([0, 1, 3.5])

    def body_of_claimAnswer(self, body, case):
        body["assessmentId"] = self.estate.graded_id
        body.pop("questionId", None)

    def body_of_saveClaimDraft(self, body, case):
        body["rubric"] = []
        if body["points"] is not None:
            body["points"] = self.random.choice([0, 1, 3.5])

    def body_of_gradeClaim(self, body, case):
        body.pop("rubric", None)
        body["points"] = self.random.choice([0, 1, 3.5])

    def body_of_replayWebhook(self, body, case):
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        body["since"], body["until"] = (now - datetime.timedelta(days=1)).isoformat(), now.isoformat()

    body_of_replayPublicWebhook = body_of_replayWebhook

    def body_of_changeReviewState(self, body, case):
        body["stateId"] = self.random.choice(["new", "shortlisted", "rejected", "hired"])
        body.pop("from", None)

    body_of_changePublicReviewState = body_of_changeReviewState

    def body_of_bulkChangeReviewStates(self, body, case):
        body["stateId"] = self.random.choice(["new", "shortlisted", "rejected", "hired"])
        body["rows"] = [{"sessionId": self.estate.finished_id} for _ in body["rows"]]

    def body_of_replaceRetention(self, body, case):
        body["months"] = self.random.choice([None, 240])
        body["states"] = self.random.choice([[], [{"stateId": "rejected", "months": 6}]])

    body_of_replaceAssessmentRetention = body_of_replaceRetention

    def body_of_previewRetention(self, body, case):
        self.body_of_replaceRetention(body, case)
        body["assessmentId"] = self.random.choice([None, self.estate.assessment_id])

    def body_of_createLegalHold(self, body, case):
        body["assessmentId"] = self.estate.judged_id
        body.pop("sessionId", None)

    def body_of_createSegment(self, body, case):
        body["filter"] = self.random.choice([{"attempt": 1}, {"language": "de"}, {"metadata": {"source": "fair"}}])

    def body_of_replaceCutScoreRatings(self, body, case):
        body["ratings"] = [{"questionId": one, "percent": self.random.choice([0, 62.5, 100])} for one in self.estate.keys]

    def body_of_replaceSelfIdentification(self, body, case):
        for i, question in enumerate(body["questions"]):
            question["id"], question["text"] = f"question-{i}", "What is your age?"
            question["options"] = [{"id": "young", "text": "Below 40"}, {"id": "old", "text": "40 or above"}]

    def body_of_saveOwnSelfIdentification(self, body, case):
        body["answers"] = []

    def body_of_recordActivity(self, body, case):
        asked = self.persona.stage["questions"] if self.persona.stage else []
        body["questions"] = [{"questionId": question["id"], "seconds": self.random.choice([0, 5, 3600])} for question in asked]

    def body_of_replaceEmailText(self, body, case):
        body["assessmentId"] = self.random.choice([None, self.estate.assessment_id])
        body.pop("version", None)

    body_of_previewEmailText = body_of_replaceEmailText
    body_of_testEmailText = body_of_replaceEmailText
    body_of_resetEmailText = body_of_replaceEmailText

    body_of_bulkChangePublicReviewStates = body_of_bulkChangeReviewStates

    def body_of_changeReviewTags(self, body, case):
        body["add"], body["remove"] = ["night shift"], ["speaks French"]  # an organization has at most 200 different ones

    body_of_changePublicReviewTags = body_of_changeReviewTags

    def body_of_replaceReviewStates(self, body, case):
        listed = self.estate.api("GET", "/v1/review-states", self.persona.owner())
        added = [{"name": self.estate.unique("state")}] if len(listed["states"]) < 20 else []
        body["version"], body["states"] = listed["version"], listed["states"] + added

    def body_of_updateAssessment(self, body, case):
        """Half of the changes are small. A draft of the run has none of the ids in other bodies."""
        if self.random.random() < 0.5:
            body.clear()
            body["title"] = "A draft"

    def body_of_updateCandidateSession(self, body, case):
        if self.random.random() < 0.5:
            body.clear()
            body["note"] = "A note"

    def body_of_createAssessmentCorrection(self, body, case):
        body["questionId"], key = self.random.choice(list(self.estate.keys.items()))
        body.pop("key", None)
        if body["action"] in ("REPLACE_KEY", "ACCEPT_ALSO"):
            body["key"] = key

    body_of_previewAssessmentCorrection = body_of_createAssessmentCorrection

    def body_of_reopenCandidateSession(self, body, case):
        if "stageId" in body:
            body["stageId"] = self.estate.last_stage_id

    def body_of_submitStage(self, body, case):
        if self.persona.stage:
            body["stageId"] = self.persona.stage["id"]

    def body_of_saveAnswer(self, body, case):
        """Chooses a question that accepts this form of answer."""
        forms = {"optionId": "SINGLE_CHOICE", "optionIds": "MULTIPLE_CHOICE", "number": "NUMERIC", "text": "SHORT_TEXT"}
        wanted = forms[next(iter(body))]
        for question in self.persona.stage["questions"] if self.persona.stage else []:
            if question["type"] != wanted:
                continue
            case.path_parameters = {"questionId": question["id"]}
            if "optionId" in body:
                body["optionId"] = question["options"][0]["id"]
            if "optionIds" in body:
                body["optionIds"] = [option["id"] for option in question["options"]][: len(body["optionIds"])]

    # Responses.

    def learn(self, case, response):
        operation = case.operation.definition.raw["operationId"]
        # Some phases send other methods to an operation's path.
        if not 200 <= response.status_code < 300 or response.request.method.lower() != case.operation.method:
            return
        if operation == "changePassword":
            self.persona.changed_password(case.body["newPassword"])
        if operation in ("listDeliveries", "listPublicDeliveries"):
            self.deliveries.extend((delivery["webhookId"], delivery["id"]) for delivery in response.json()["data"])
        if operation == "submitStage":
            self.after_submit(response.json()["data"])
        text = response.content.decode(errors="ignore")  # a file may not be a text
        for match in REAL.finditer(text):
            self.ids[match[1]].append(match[0])
        if operation in ("register", "refresh", "acceptInvitation"):
            self.refresh_tokens.append(response.json()["data"]["refreshToken"])
        if operation in ("createSecondFactor", "createRecoveryCodes"):
            self.learn_sign_in(operation, response.json())
        if operation == "createResultToken":
            self.result_tokens.append(response.json()["data"]["token"])

    def after_submit(self, outcome):
        if outcome["nextStageId"] is None:
            self.persona.next_session()
        else:
            self.persona.look_at_stage()


def is_real(value):
    return isinstance(value, str) and (REAL.fullmatch(value) is not None and EXAMPLE not in value or value.startswith("eyJ") and len(value) > 100)


def loopback(url):
    """Returns host and port of a loopback address, in the listener's notation."""
    try:
        parsed = urllib.parse.urlsplit(url)
    except ValueError:
        return None
    return parsed.netloc.replace("localhost", "127.0.0.1") if parsed.scheme in ("http", "https") else None
