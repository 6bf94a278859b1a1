/** Performs an integration, and reads each kind of response. */
package com.example.integration

import com.example.assay.apis.*
import com.example.assay.infrastructure.ApiClient
import com.example.assay.infrastructure.ClientError
import com.example.assay.infrastructure.ClientException
import com.example.assay.infrastructure.Serializer
import com.example.assay.models.*
import java.net.URI
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody

val address: String = System.getenv("ASSAY_URL")

fun main() {
    val credentials = LoginRequest(System.getenv("ASSAY_EMAIL"), System.getenv("ASSAY_PASSWORD"))
    val login = AuthApi(address).login(credentials).data
    val author = bearer(login.accessToken)
    println("signed in as ${login.user.name}")

    val endpoint = WebhooksApi(address, author)
        .createWebhook(WebhookEndpointCreate(URI("http://127.0.0.1:9/hooks"), EventTypeInput.entries.toSet())).data
    println("registered a webhook endpoint for ${endpoint.events}")

    val assessments = AssessmentsApi(address, author)
    val assessment = assessments.publishAssessment(draft(author)).data
    println("published the questions ${assessment.stages[0].questions.map { it.type }}")

    val wanted = setOf("assessments:read", "candidates:read", "candidates:write", "results:read")
    val scopes = ApiKeyScopeInput.entries.filter { it.value in wanted }.toSet()
    val key = ApiKeysApi(address, author).createApiKey(ApiKeyCreate("Careers site", scopes)).data
    val integration = client("X-API-Key", key.key)
    val sessions = CandidateSessionsApi(address, integration)
    fun invite(assessmentId: String, name: String, email: String) =
        sessions.createPublicCandidateSession(CandidateSessionCreate(assessmentId, name, email)).data
    val session = invite(assessment.id, "Ada", "ada@candidates.example")
    println("invited until ${session.expiresAt}")

    val outcome = take(CandidateApi(address, bearer(session.inviteUrl!!.fragment)))
    println("submitted the answers; the session is ${outcome.status}")
    val token = outcome.redirectUrl.toString().substringAfter("result=")
    val result = ResultsApi(address, integration).exchangeResultToken(token).data
    check(result.sessionId == session.id && result.score == 100.0 && result.passed == true)
    println("exchanged the result token for a score of ${result.score}, ${result.closeReason}")

    val listed = sessions.listPublicCandidateSessions(assessmentId = assessment.id).data.single()
    check(listed.id == session.id)
    println("listed a session that is ${listed.status}")
    EventsApi(address, author).listEvents().data.forEach { println("read the event ${it.type} of ${it.timestamp}") }

    val missing = problem { invite("asm_00000000000000000000000000", "Ada", "ada@candidates.example") }
    check(missing.status == 404)
    println("refused an unknown assessment: ${missing.code}")
    val invalid = problem { invite(assessment.id, "   ", "nobody") }
    check(invalid.status == 400)
    println("refused: ${invalid.code} at ${invalid.errors.map { it.pointer }}")
    println("journey complete")
}

/** Creates a draft and returns its id. The generated client cannot write the union that a draft's questions are. */
fun draft(author: OkHttpClient): String {
    val draft = """{"title": "Night-shift pharmacist", "passingScore": 60, "redirectUrl": "https://jobs.example/thanks",
        "stages": [{"title": "Storage", "questions": [
            {"type": "SINGLE_CHOICE", "prompt": "How long?", "points": 2, "correctOptionId": "a",
             "options": [{"id": "a", "text": "Nine hours"}, {"id": "b", "text": "Two days"}]},
            {"type": "NUMERIC", "prompt": "How many?", "points": 1, "answer": 5}]}]}"""
    val request = Request.Builder()
        .url("$address/v1/assessments")
        .post(draft.toRequestBody("application/json".toMediaType()))
    val created = author.newCall(request.build()).execute().use { it.body.string() }
    return read(AssessmentDetailData::class.java, created).data.id
}

fun take(candidate: CandidateApi): StageOutcome {
    val taking = candidate.retrieveTaking().data
    println("it has ${taking.stages.size} stages and is ${taking.status}")
    candidate.startTaking(TakingStart())
    val stage = candidate.retrieveCurrentStage().data
    for (question in stage.questions) {
        when (question.type) {
            "SINGLE_CHOICE" -> candidate.saveAnswer(question.id, AnswerInput(optionId = "a"))
            "NUMERIC" -> candidate.saveAnswer(question.id, AnswerInput(number = 5.0))
            else -> {} // a type that the service had later than this program
        }
    }
    return candidate.submitStage(StageSubmit(stage.id)).data
}

/** Returns the problem with which the request is refused. */
fun problem(call: () -> Any): Problem {
    try {
        call()
    } catch (refused: ClientException) {
        return read(Problem::class.java, (refused.response as ClientError<*>).body as String)
    }
    error("the request was not refused")
}

fun <T> read(type: Class<T>, json: String): T = Serializer.moshi.adapter(type).fromJson(json)!!

/** The generated client keeps its credentials for all of its instances. An interceptor belongs to one. */
fun client(header: String, credential: String): OkHttpClient =
    ApiClient.defaultClient.newBuilder()
        .addInterceptor { it.proceed(it.request().newBuilder().header(header, credential).build()) }
        .build()

fun bearer(token: String) = client("Authorization", "Bearer $token")
