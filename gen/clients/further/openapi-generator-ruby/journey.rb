# frozen_string_literal: true

# Performs an integration, and reads each kind of response.

require 'assay'
require 'json'
require 'uri'

def connect(token: nil, key: nil)
  address = URI(ENV.fetch('ASSAY_URL'))
  Assay::ApiClient.new(Assay::Configuration.new do |settings|
    settings.scheme = address.scheme
    settings.host = "#{address.host}:#{address.port}"
    settings.server_index = nil
    settings.access_token = token
    settings.api_key['X-API-Key'] = key if key
  end)
end

def check(holds)
  raise 'not as expected' unless holds
end

# Returns the problem with which the request is refused.
def problem
  yield
  raise 'the request was not refused'
rescue Assay::ApiError => e
  Assay::Problem.build_from_hash(JSON.parse(e.response_body, symbolize_names: true))
end

credentials = Assay::LoginRequest.new(email: ENV.fetch('ASSAY_EMAIL'), password: ENV.fetch('ASSAY_PASSWORD'))
login = Assay::AuthApi.new(connect).login(credentials).data
author = connect(token: login.access_token)
puts "signed in as #{login.user.name}"

endpoint = Assay::WebhooksApi.new(author).create_webhook(
  Assay::WebhookEndpointCreate.new(url: 'http://127.0.0.1:9/hooks', events: %w[candidate.completed candidate.disqualified])
).data
puts "registered a webhook endpoint for #{endpoint.events.join(', ')}"

assessments = Assay::AssessmentsApi.new(author)
choice = Assay::SingleChoiceQuestionInput.new(
  type: 'SINGLE_CHOICE', prompt: 'How long?', points: 2, correct_option_id: 'a',
  options: [Assay::OptionInput.new(id: 'a', text: 'Nine hours'), Assay::OptionInput.new(id: 'b', text: 'Two days')]
)
number = Assay::NumericQuestionInput.new(type: 'NUMERIC', prompt: 'How many?', points: 1, answer: 5)
draft = assessments.create_assessment(
  Assay::AssessmentCreate.new(
    title: 'Night-shift pharmacist', passing_score: 60, redirect_url: 'https://jobs.example/thanks',
    stages: [Assay::StageInput.new(title: 'Storage', questions: [choice, number])]
  )
).data
assessment = assessments.publish_assessment(draft.id).data
assessment.stages[0].questions.each { |question| puts "published a question of type #{question.type}" }

key = Assay::ApiKeysApi.new(author).create_api_key(
  Assay::ApiKeyCreate.new(name: 'Careers site', scopes: %w[assessments:read candidates:read candidates:write results:read])
).data.key
sessions = Assay::CandidateSessionsApi.new(connect(key: key))
invite = lambda do |assessment_id, **more|
  sessions.create_public_candidate_session(
    Assay::CandidateSessionCreate.new(
      assessment_id: assessment_id, candidate_name: 'Ada', candidate_email: 'ada@candidates.example', **more
    )
  ).data
end
session = invite.call(assessment.id)
puts "invited until #{session.expires_at.iso8601}"

candidate = Assay::CandidateApi.new(connect(token: URI(session.invite_url).fragment))
taking = candidate.retrieve_taking.data
puts "it has #{taking.stages.size} stages and is #{taking.status}"
candidate.start_taking
stage = candidate.retrieve_current_stage.data
stage.questions.each do |question|
  answer = { 'SINGLE_CHOICE' => { option_id: 'a' }, 'NUMERIC' => { number: 5 } }[question.type]
  # A type without an answer here is one that the service had later than this program.
  candidate.save_answer(question.id, Assay::AnswerInput.new(answer)) if answer
end
outcome = candidate.submit_stage(Assay::StageSubmit.new(stage_id: stage.id)).data
puts "submitted the answers; the session is #{outcome.status}"

token = URI.decode_www_form(URI(outcome.redirect_url).query).to_h.fetch('result')
result = Assay::ResultsApi.new(connect(key: key)).exchange_result_token(token).data
check(result.session_id == session.id && result.score == 100 && result.passed)
puts "exchanged the result token for a score of #{result.score}, #{result.close_reason}"

listed = sessions.list_public_candidate_sessions(assessment_id: assessment.id).data
check(listed.map(&:id) == [session.id])
puts "listed a session that is #{listed[0].status}"
Assay::EventsApi.new(author).list_events.data.each do |event|
  puts "read the event #{event.type} of #{event.timestamp.iso8601}"
end

missing = problem { invite.call('asm_00000000000000000000000000') }
check(missing.status == 404)
puts "refused an unknown assessment: #{missing.code}"
invalid = problem { invite.call(assessment.id, expires_at: Time.at(0)) }
check(invalid.status == 400)
puts "refused: #{invalid.code} at #{invalid.errors.map(&:pointer).join(', ')}"
puts 'journey complete'
