package com.example.integration;

import com.example.assay.ApiClient;
import com.example.assay.ApiException;
import com.example.assay.ApiResponse;
import com.example.assay.api.ApiKeysApi;
import com.example.assay.api.AssessmentsApi;
import com.example.assay.api.AuthApi;
import com.example.assay.api.CandidateApi;
import com.example.assay.api.CandidateSessionsApi;
import com.example.assay.api.EventsApi;
import com.example.assay.api.ResultsApi;
import com.example.assay.api.WebhooksApi;
import com.example.assay.model.*;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The whole way of an integrator, from a draft to a verified webhook. */
public final class Journey {
    private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();
    private static final Pattern RESULT = Pattern.compile("[?&]result=([^&]+)");
    private static final Pattern NEXT = Pattern.compile("<[^>]*[?&]after=([^&>]+)[^>]*>; rel=\"next\"");

    private Journey() {}

    public static void main(String[] arguments) throws Exception {
        try (Receiver receiver = new Receiver()) {
            travel(receiver);
        }
        System.out.println("journey complete");
    }

    private static void travel(Receiver receiver) throws Exception {
        LoginRequest credentials = new LoginRequest().email(setting("ASSAY_EMAIL")).password(setting("ASSAY_PASSWORD"));
        Login login = new AuthApi(client(request -> {})).login(credentials).getData();
        ApiClient author = client(bearer(login.getAccessToken()));
        System.out.println("signed in as " + login.getUser().getName());

        WebhookEndpointCreate hook = new WebhookEndpointCreate()
                .url(receiver.url())
                .events(Set.of(EventTypeInput.CANDIDATE_COMPLETED));
        CreatedWebhookEndpoint endpoint = new WebhooksApi(author).createWebhook(hook, null).getData();
        System.out.println("registered the webhook endpoint " + endpoint.getId());

        AssessmentsApi assessments = new AssessmentsApi(author);
        String draft = assessments.createAssessment(draft(), null).getData().getId();
        AssessmentDetail assessment = assessments.publishAssessment(draft).getData();
        check(assessment.getStages().get(0).getQuestions().size() >= 2);
        System.out.println("published the assessment " + assessment.getId());

        ApiKeyCreate careersSite = new ApiKeyCreate().name("Careers site").scopes(EnumSet.of(
                ApiKeyScopeInput.ASSESSMENTS_READ, ApiKeyScopeInput.CANDIDATES_READ,
                ApiKeyScopeInput.CANDIDATES_WRITE, ApiKeyScopeInput.RESULTS_READ));
        CreatedApiKey key = new ApiKeysApi(author).createApiKey(careersSite, null).getData();
        ApiClient integration = client(request -> request.header("X-API-Key", key.getKey()));
        System.out.println("made the API key " + key.getId());

        CandidateSessionsApi sessions = new CandidateSessionsApi(integration);
        CandidateSessionCreate ada = candidate(assessment.getId(), "Ada Lovelace", "ada@example.com");
        // A new value for each request that must take effect only once.
        String once = "invite-ada-to-" + assessment.getId();
        CandidateSession session = sessions.createPublicCandidateSession(ada, once).getData();
        check(sessions.createPublicCandidateSession(ada, once).getData().getId().equals(session.getId()));
        System.out.println("invited a candidate, once in two requests: " + session.getId());

        String inviteToken = session.getInviteUrl().getFragment();
        StageOutcome outcome = take(new CandidateApi(client(bearer(inviteToken))));
        System.out.println("took it as the candidate: " + outcome.getStatus());

        Matcher redirect = RESULT.matcher(outcome.getRedirectUrl().toString());
        check(redirect.find());
        Result result = new ResultsApi(integration).exchangeResultToken(redirect.group(1), null).getData();
        check(result.getSessionId().equals(session.getId()));
        check(result.getScore() == 100 && result.getPassed());
        System.out.println("exchanged the result token: score " + result.getScore() + ", passed");

        CandidateSessionCreate grace = candidate(assessment.getId(), "Grace Hopper", "grace@example.com");
        String second = sessions.createPublicCandidateSession(grace, null).getData().getId();
        CandidateSessionCreate mary = candidate(assessment.getId(), "Mary Somerville", "mary@example.com");
        String third = sessions.createPublicCandidateSession(mary, null).getData().getId();
        List<String> newestFirst = sessionIds(sessions, assessment.getId());
        check(newestFirst.equals(List.of(third, second, session.getId())));
        System.out.println("paged through " + newestFirst.size() + " sessions");

        CandidateSessionCreate nowhere = candidate("asm_00000000000000000000000000", "Ada Lovelace", "ada@example.com");
        Problem missing = problem(() -> sessions.createPublicCandidateSession(nowhere, null));
        check(missing.getStatus() == 404);
        System.out.println("problem " + missing.getCode() + " in request " + missing.getRequestId());
        CandidateSessionCreate nobody = candidate(assessment.getId(), "   ", "ada at example.com");
        Problem invalid = problem(() -> sessions.createPublicCandidateSession(nobody, null));
        List<String> pointers = invalid.getErrors().stream().map(FieldError::getPointer).sorted().toList();
        check(invalid.getStatus() == 400);
        check(pointers.equals(List.of("/candidateEmail", "/candidateName")));
        System.out.println("problem " + invalid.getCode() + " at " + pointers + " in request " + invalid.getRequestId());

        System.out.println("read " + new EventsApi(author).listEvents(null, null, null, null, null, null, null).getData().size() + " events");
        CandidateCompletedEvent event = await(receiver, endpoint.getSecret());
        check(event.getData().getSessionId().equals(session.getId()));
        System.out.println("received and verified " + event.getType());
    }

    /** Waits for candidate.completed. An event of another type may be there first. */
    private static CandidateCompletedEvent await(Receiver receiver, String secret) throws Exception {
        while (true) {
            Receiver.Webhook webhook = receiver.await();
            String signature = webhook.headers().getFirst("X-Service-Signature");
            check(WebhookVerifier.verifyServiceSignature(secret, webhook.body(), signature));
            check(WebhookVerifier.verifyStandardWebhook(
                    secret, webhook.headers()::getFirst, webhook.body(), Instant.now()));
            EventEnvelope event = JSON.readValue(webhook.body(), EventEnvelope.class);
            if (event.getType().equals("candidate.completed")) {
                return JSON.readValue(webhook.body(), CandidateCompletedEvent.class);
            }
        }
    }

    private static AssessmentCreate draft() {
        SingleChoiceQuestionInput choice = new SingleChoiceQuestionInput()
                .type(SingleChoiceQuestionInput.TypeEnum.SINGLE_CHOICE)
                .prompt("How long may a compounded syringe be kept?")
                .points(2.0)
                .addOptionsItem(new OptionInput().id("a").text("Nine hours"))
                .addOptionsItem(new OptionInput().id("b").text("Two days"))
                .correctOptionId("a");
        NumericQuestionInput number = new NumericQuestionInput()
                .type(NumericQuestionInput.TypeEnum.NUMERIC)
                .prompt("How many milligrams are in 2.5 g?")
                .points(1.0)
                .answer(2500.0);
        return new AssessmentCreate()
                .title("Night-shift pharmacist")
                .passingScore(80.0)
                .redirectUrl(URI.create("https://jobs.example/thanks?source=assay"))
                .addStagesItem(new StageInput()
                        .title("Storage")
                        .addQuestionsItem(new QuestionInput(choice))
                        .addQuestionsItem(new QuestionInput(number)));
    }

    private static StageOutcome take(CandidateApi candidate) throws ApiException {
        Taking taking = candidate.retrieveTaking(null).getData();
        System.out.println("it has " + taking.getStages().size() + " stages and is " + taking.getStatus());
        candidate.startTaking(new TakingStart());
        CurrentStage stage = candidate.retrieveCurrentStage().getData();
        for (CandidateQuestion question : stage.getQuestions()) {
            switch (question.getType()) {
                case "SINGLE_CHOICE" -> candidate.saveAnswer(question.getId(), new AnswerInput().optionId("a"));
                case "NUMERIC" -> candidate.saveAnswer(question.getId(), new AnswerInput().number(2500.0));
                default -> {} // a type that the service had later than this program
            }
        }
        return candidate.submitStage(new StageSubmit().stageId(stage.getId())).getData();
    }

    /** Pages by the Link header, which names the next page as long as there is one. */
    private static List<String> sessionIds(CandidateSessionsApi sessions, String assessmentId) throws ApiException {
        List<String> ids = new ArrayList<>();
        String after = null;
        do {
            ApiResponse<CandidateSessionList> page = sessions.listPublicCandidateSessionsWithHttpInfo(
                    1, after, assessmentId, null, null, null, null, null, null, null);
            page.getData().getData().forEach(session -> ids.add(session.getId()));
            Matcher link = NEXT.matcher(String.join(", ", page.getHeaders().getOrDefault("Link", List.of())));
            after = link.find() ? link.group(1) : null;
        } while (after != null);
        return ids;
    }

    private static Problem problem(Callable<?> call) throws Exception {
        try {
            call.call();
        } catch (ApiException refused) {
            return JSON.readValue(refused.getResponseBody(), Problem.class);
        }
        throw new IllegalStateException("a success where a problem was due");
    }

    private static CandidateSessionCreate candidate(String assessmentId, String name, String email) {
        return new CandidateSessionCreate().assessmentId(assessmentId).candidateName(name).candidateEmail(email);
    }

    private static ApiClient client(Consumer<HttpRequest.Builder> credential) {
        return new ApiClient(HttpClient.newBuilder(), JSON, setting("ASSAY_URL")).setRequestInterceptor(credential);
    }

    private static Consumer<HttpRequest.Builder> bearer(String token) {
        return request -> request.header("Authorization", "Bearer " + token);
    }

    private static String setting(String name) {
        return Objects.requireNonNull(System.getenv(name), name);
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new IllegalStateException("not as expected");
        }
    }
}
