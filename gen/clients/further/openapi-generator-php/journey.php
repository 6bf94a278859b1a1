<?php
// Performs an integration, and reads each kind of response.
declare(strict_types=1);

use Assay\Api;
use Assay\ApiException;
use Assay\Configuration;
use Assay\Model;

// Any warning is an error.
set_error_handler(fn (int $level, string $message, string $file, int $line) => throw new ErrorException($message, 0, $level, $file, $line));

// Debian's Guzzle, and the generated client, instead of Composer's autoloader.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Assay\\')) {
        require __DIR__ . '/generated/lib/' . strtr(substr($class, 6), '\\', '/') . '.php';
    }
});

function connect(?string $token = null, ?string $key = null): Configuration
{
    $configuration = (new Configuration())->setHost(getenv('ASSAY_URL'));
    if ($token !== null) {
        $configuration->setAccessToken($token);
    }
    return $key === null ? $configuration : $configuration->setApiKey('X-API-Key', $key);
}

function check(bool $holds): void
{
    $holds || throw new LogicException('not as expected');
}

/** Returns the problem with which the request is refused. */
function problem(callable $call): Model\Problem
{
    try {
        $call();
    } catch (ApiException $refused) {
        return $refused->getResponseObject();
    }
    throw new LogicException('the request was not refused');
}

$credentials = new Model\LoginRequest(['email' => getenv('ASSAY_EMAIL'), 'password' => getenv('ASSAY_PASSWORD')]);
$login = (new Api\AuthApi(config: connect()))->login($credentials)->getData();
$author = connect($login->getAccessToken());
echo 'signed in as ', $login->getUser()->getName(), "\n";

$endpoint = (new Api\WebhooksApi(config: $author))->createWebhook(new Model\WebhookEndpointCreate([
    'url' => 'http://127.0.0.1:9/hooks', 'events' => ['candidate.completed', 'candidate.disqualified'],
]))->getData();
echo 'registered a webhook endpoint for ', implode(', ', $endpoint->getEvents()), "\n";

$assessments = new Api\AssessmentsApi(config: $author);
$draft = $assessments->createAssessment(new Model\AssessmentCreate([
    'title' => 'Night-shift pharmacist',
    'passing_score' => 60,
    'redirect_url' => 'https://jobs.example/thanks',
    'stages' => [new Model\StageInput(['title' => 'Storage', 'questions' => [
        new Model\SingleChoiceQuestionInput([
            'type' => 'SINGLE_CHOICE', 'prompt' => 'How long?', 'points' => 2, 'correct_option_id' => 'a',
            'options' => [new Model\OptionInput(['id' => 'a', 'text' => 'Nine hours']), new Model\OptionInput(['id' => 'b', 'text' => 'Two days'])],
        ]),
        new Model\NumericQuestionInput(['type' => 'NUMERIC', 'prompt' => 'How many?', 'points' => 1, 'answer' => 5]),
    ]])],
]))->getData();
$assessment = $assessments->publishAssessment($draft->getId())->getData();
foreach ($assessment->getStages()[0]->getQuestions() as $question) {
    echo 'published a question of type ', $question->getType(), "\n";
}

$key = (new Api\ApiKeysApi(config: $author))->createApiKey(new Model\ApiKeyCreate([
    'name' => 'Careers site', 'scopes' => ['assessments:read', 'candidates:read', 'candidates:write', 'results:read'],
]))->getData();
$sessions = new Api\CandidateSessionsApi(config: connect(key: $key->getKey()));
$invite = fn (string $assessmentId, string $name, string $email) => $sessions->createPublicCandidateSession(
    new Model\CandidateSessionCreate(['assessment_id' => $assessmentId, 'candidate_name' => $name, 'candidate_email' => $email]),
);
$session = $invite($assessment->getId(), 'Ada', 'ada@candidates.example')->getData();
echo 'invited until ', $session->getExpiresAt()->format(DATE_RFC3339), "\n";

$candidate = new Api\CandidateApi(config: connect(explode('#', $session->getInviteUrl())[1]));
$taking = $candidate->retrieveTaking()->getData();
echo 'it has ', count($taking->getStages()), ' stages and is ', $taking->getStatus(), "\n";
$candidate->startTaking();
$stage = $candidate->retrieveCurrentStage()->getData();
$answers = ['SINGLE_CHOICE' => ['option_id' => 'a'], 'NUMERIC' => ['number' => 5]];
foreach ($stage->getQuestions() as $question) {
    // A type without an answer here is one that the service had later than this program.
    if (isset($answers[$question->getType()])) {
        $candidate->saveAnswer($question->getId(), new Model\AnswerInput($answers[$question->getType()]));
    }
}
$outcome = $candidate->submitStage(new Model\StageSubmit(['stage_id' => $stage->getId()]))->getData();
echo 'submitted the answers; the session is ', $outcome->getStatus(), "\n";

$token = explode('result=', $outcome->getRedirectUrl())[1];
$result = (new Api\ResultsApi(config: connect(key: $key->getKey())))->exchangeResultToken($token)->getData();
check($result->getSessionId() === $session->getId() && $result->getScore() === 100.0 && $result->getPassed());
echo 'exchanged the result token for a score of ', $result->getScore(), ", {$result->getCloseReason()}\n";

$listed = $sessions->listPublicCandidateSessions(assessment_id: $assessment->getId())->getData();
check(count($listed) === 1 && $listed[0]->getId() === $session->getId());
echo 'listed a session that is ', $listed[0]->getStatus(), "\n";
foreach ((new Api\EventsApi(config: $author))->listEvents()->getData() as $event) {
    echo 'read the event ', $event->getType(), ' of ', $event->getTimestamp()->format('Y-m-d'), "\n";
}

$missing = problem(fn () => $invite('asm_00000000000000000000000000', 'Ada', 'ada@candidates.example'));
check($missing->getStatus() === 404);
echo "refused an unknown assessment: {$missing->getCode()}\n";
$invalid = problem(fn () => $invite($assessment->getId(), '   ', 'nobody'));
check($invalid->getStatus() === 400 && count($invalid->getErrors()) === 2);
echo "refused: {$invalid->getCode()} at {$invalid->getErrors()[0]->getPointer()}\n";
echo "journey complete\n";
