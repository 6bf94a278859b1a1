//! Performs a complete integration, from a draft to a verified webhook.

use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fmt};

use assay::apis::configuration::{ApiKey, Configuration};
use assay::apis::{
    self, api_keys_api, assessments_api, auth_api, candidate_api, candidate_sessions_api, events_api,
    results_api, webhooks_api,
};
use assay::models::{
    AnswerInput, ApiKeyCreate, ApiKeyScopeInput, AssessmentCreate, CandidateCompletedEvent,
    CandidateSessionCreate, EventEnvelope, EventTypeInput, LoginRequest, NumericQuestionInput, OptionInput,
    Problem, QuestionInput, SingleChoiceQuestionInput, StageInput, StageSubmit, TakingStart, WebhookEndpointCreate,
};
use integration::{verify_service_signature, verify_standard_webhook};
use tokio::net::TcpListener;
use url::Url;

mod receiver;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let anonymous = Configuration { base_path: setting("ASSAY_URL")?, ..Configuration::new() };
    let credentials = LoginRequest::new(setting("ASSAY_EMAIL")?, setting("ASSAY_PASSWORD")?);
    let login = auth_api::login(&anonymous, credentials).await?.data;
    let author = Configuration { bearer_access_token: Some(login.access_token), ..anonymous.clone() };
    println!("signed in as {}", login.user.name);

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let hooks = format!("http://{}/hooks", listener.local_addr()?);
    let (sender, mut deliveries) = tokio::sync::mpsc::channel(8);
    tokio::spawn(receiver::receive(listener, sender));
    let endpoint = WebhookEndpointCreate::new(hooks, vec![EventTypeInput::CandidateCompleted]);
    let endpoint = webhooks_api::create_webhook(&author, endpoint, None).await?.data;
    println!("registered the webhook endpoint {}", endpoint.id);

    let draft = AssessmentCreate {
        passing_score: Some(Some(80.0)),
        redirect_url: Some(Some("https://jobs.example/thanks?source=assay".into())),
        stages: Some(vec![StageInput {
            questions: Some(vec![
                QuestionInput::SingleChoiceQuestionInput(SingleChoiceQuestionInput {
                    prompt: "How long may a compounded syringe be kept?".into(),
                    points: 2.0,
                    options: Some(vec![
                        OptionInput::new("a".into(), "Nine hours".into()),
                        OptionInput::new("b".into(), "Two days".into()),
                    ]),
                    correct_option_id: Some(Some("a".into())),
                    ..Default::default()
                }),
                QuestionInput::NumericQuestionInput(NumericQuestionInput {
                    prompt: "How many milligrams are in 2.5 g?".into(),
                    points: 1.0,
                    answer: Some(Some(2500.0)),
                    ..Default::default()
                }),
            ]),
            ..StageInput::new("Storage".into())
        }]),
        ..AssessmentCreate::new("Night-shift pharmacist".into())
    };
    let assessment = assessments_api::create_assessment(&author, draft, None).await?.data;
    let assessment = assessments_api::publish_assessment(&author, &assessment.id).await?.data;
    assert!(assessment.stages[0].questions.len() >= 2);
    println!("published the assessment {}", assessment.id);

    let key = ApiKeyCreate::new(
        "Careers site".into(),
        vec![
            ApiKeyScopeInput::AssessmentsRead,
            ApiKeyScopeInput::CandidatesRead,
            ApiKeyScopeInput::CandidatesWrite,
            ApiKeyScopeInput::ResultsRead,
        ],
    );
    let key = api_keys_api::create_api_key(&author, key, None).await?.data;
    let header = ApiKey { prefix: None, key: key.key };
    let integration = Configuration { api_key: Some(header), ..anonymous.clone() };
    println!("made the API key {}", key.id);

    let invite = async |assessment_id: &str, name: &str, email: &str, key: Option<&str>| {
        let candidate = CandidateSessionCreate::new(assessment_id.into(), name.into(), email.into());
        candidate_sessions_api::create_public_candidate_session(&integration, candidate, key).await
    };
    // A new value for each request that must take effect only once.
    let once = format!("invite-ada-to-{}", assessment.id);
    let ada = ("Ada Lovelace", "ada@example.com");
    let session = invite(&assessment.id, ada.0, ada.1, Some(&once)).await?.data;
    let again = invite(&assessment.id, ada.0, ada.1, Some(&once)).await?.data;
    assert_eq!(again.id, session.id);
    println!("invited a candidate, once in two requests: {}", session.id);

    let link = session.invite_url.ok_or("no link to take the assessment with")?;
    let (_, token) = link.split_once('#').ok_or("no token in the link")?;
    let candidate = Configuration { bearer_access_token: Some(token.into()), ..anonymous.clone() };
    let taking = candidate_api::retrieve_taking(&candidate, None).await?.data;
    println!("it has {} stages and is {}", taking.stages.len(), taking.status);
    candidate_api::start_taking(&candidate, Some(TakingStart::new())).await?;
    let stage = candidate_api::retrieve_current_stage(&candidate).await?.data;
    for question in &stage.questions {
        let answer = match question.r#type.as_str() {
            "SINGLE_CHOICE" => AnswerInput { option_id: Some("a".into()), ..AnswerInput::new() },
            "NUMERIC" => AnswerInput { number: Some(2500.0), ..AnswerInput::new() },
            _ => continue, // a type that the service had later than this program
        };
        candidate_api::save_answer(&candidate, &question.id, answer).await?;
    }
    let outcome = candidate_api::submit_stage(&candidate, StageSubmit::new(stage.id)).await?.data;
    println!("took it as the candidate: {}", outcome.status);

    let redirect = Url::parse(&outcome.redirect_url.ok_or("no address to go back to")?)?;
    let (_, token) =
        redirect.query_pairs().find(|(name, _)| name == "result").ok_or("no result token in the address")?;
    let result = results_api::exchange_result_token(&integration, &token, None).await?.data;
    assert_eq!((result.session_id, result.score, result.passed), (session.id.clone(), 100.0, Some(true)));
    println!("exchanged the result token: score {}, passed", result.score);

    let grace = invite(&assessment.id, "Grace Hopper", "grace@example.com", None).await?.data;
    let mary = invite(&assessment.id, "Mary Somerville", "mary@example.com", None).await?.data;
    let mut sessions: Vec<String> = Vec::new();
    loop {
        let after = sessions.last().map(String::as_str);
        let page = candidate_sessions_api::list_public_candidate_sessions(
            &integration,
            Some(1),
            after,
            Some(&assessment.id),
            None,
            None,
            None,
            None,
            None,
            None,
            None,
        )
        .await?
        .data;
        if page.is_empty() {
            break;
        }
        sessions.extend(page.into_iter().map(|session| session.id));
    }
    assert_eq!(sessions, [mary.id, grace.id, session.id.clone()]);
    println!("paged through {} sessions", sessions.len());

    let missing = problem(invite("asm_00000000000000000000000000", ada.0, ada.1, None).await)?;
    assert_eq!(missing.status, 404);
    println!("problem {} in request {}", missing.code, missing.request_id);
    let invalid = problem(invite(&assessment.id, "   ", "ada at example.com", None).await)?;
    let mut pointers: Vec<_> = invalid.errors.iter().map(|error| error.pointer.as_str()).collect();
    pointers.sort();
    assert_eq!(invalid.status, 400);
    assert_eq!(pointers, ["/candidateEmail", "/candidateName"]);
    println!("problem {} at {} in request {}", invalid.code, pointers.join(" and "), invalid.request_id);

    let events = events_api::list_events(&author, None, None, None, None, None, None, None).await?.data;
    println!("read {} events", events.len());

    // An event of another type may be there before candidate.completed.
    let event = loop {
        let delivery = tokio::time::timeout(Duration::from_secs(30), deliveries.recv()).await?;
        let (headers, body) = delivery.ok_or("no webhook came")?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() as i64;
        let signature = headers.get("X-Service-Signature").ok_or("no signature")?.to_str()?;
        assert!(verify_service_signature(&endpoint.secret, &body, signature));
        assert!(verify_standard_webhook(&endpoint.secret, &headers, &body, now));
        let event: EventEnvelope = serde_json::from_slice(&body)?;
        if event.r#type == "candidate.completed" {
            break serde_json::from_slice::<CandidateCompletedEvent>(&body)?;
        }
    };
    assert_eq!(event.data.session_id, session.id);
    println!("received and verified candidate.completed");
    println!("journey complete");
    Ok(())
}

fn setting(name: &str) -> Result<String, Failure> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}

/// The problem in the service's response.
fn problem<T, E>(answer: Result<T, apis::Error<E>>) -> Result<Problem, Failure>
where
    E: fmt::Debug + Send + Sync + 'static,
{
    match answer {
        Ok(_) => Err("a success where a problem was due".into()),
        Err(apis::Error::ResponseError(response)) => Ok(serde_json::from_str(&response.content)?),
        Err(error) => Err(error.into()),
    }
}
