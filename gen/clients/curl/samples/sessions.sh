# sample: createPublicCandidateSession
curl "$ASSAY_URL/v1/public/candidate-sessions" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Idempotency-Key: application-4711' \
  --header 'Content-Type: application/json' \
  --data "{
    \"assessmentId\": \"$ASSESSMENT_ID\",
    \"candidateName\": \"Ada Lovelace\",
    \"candidateEmail\": \"ada@candidates.example\",
    \"externalId\": \"application-4711\"
  }"
# end sample
SESSION_ID=$(value data.id)
INVITE_URL=$(value data.inviteUrl)
INVITE_TOKEN=${INVITE_URL#*#}
ADA=$SESSION_ID

# sample: retrievePublicCandidateSession
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: bulkCreatePublicCandidateSessions
curl "$ASSAY_URL/v1/public/candidate-sessions/bulk" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Idempotency-Key: import-2026-11-20' \
  --header 'Content-Type: application/json' \
  --data "{\"rows\": [
    {\"assessmentId\": \"$ASSESSMENT_ID\", \"candidateName\": \"Grace Hopper\", \"candidateEmail\": \"grace@candidates.example\"},
    {\"assessmentId\": \"$ASSESSMENT_ID\", \"candidateName\": \"Edsger Dijkstra\", \"candidateEmail\": \"edsger@candidates.example\"}
  ]}"
# end sample
SESSION_ID=$(value data.rows.0.session.id)

# sample: resendPublicCandidateSession
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/resend" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"sendEmail": true}'
# end sample

# sample: cancelPublicCandidateSession
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/cancel" --request POST \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listPublicCandidateSessions
curl --include "$ASSAY_URL/v1/public/candidate-sessions?assessmentId=$ASSESSMENT_ID&limit=2" \
  --header "X-API-Key: $ASSAY_API_KEY"
# the header `link` has the next page, as long as there is one
# end sample

# sample: listPublicCandidateSessionChanges
curl "$ASSAY_URL/v1/public/candidate-sessions/changes?limit=100" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample
CHANGES_CURSOR=$(value data.cursor)

# sample: listCandidateSessionChanges
curl "$ASSAY_URL/v1/candidate-sessions/changes?limit=100&cursor=$CHANGES_CURSOR" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: createCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"assessmentId\": \"$ASSESSMENT_ID\",
    \"candidateName\": \"Barbara Liskov\",
    \"candidateEmail\": \"barbara@candidates.example\",
    \"extraTimePercent\": 25
  }"
# end sample
SESSION_ID=$(value data.id)

# sample: retrieveCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: resendCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/resend" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: cancelCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/cancel" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listCandidateSessions
curl "$ASSAY_URL/v1/candidate-sessions?status=INVITED" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: replaceSelfIdentification
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/self-identification" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"questions": [{"id": "sex", "text": "What is your sex?", "options": [
    {"id": "female", "text": "Female"}, {"id": "male", "text": "Male"}]}]}'
# end sample

# sample: retrieveSelfIdentification
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/self-identification" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveTaking
curl "$ASSAY_URL/v1/candidate/session" \
  --header "Authorization: Bearer $INVITE_TOKEN"
# end sample

# sample: startTaking
curl "$ASSAY_URL/v1/candidate/session/start" --request POST \
  --header "Authorization: Bearer $INVITE_TOKEN"
# end sample

# sample: retrieveCurrentStage
curl "$ASSAY_URL/v1/candidate/session/stage" \
  --header "Authorization: Bearer $INVITE_TOKEN"
# end sample
STAGE_ID=$(value data.id)
QUESTION_ID=$(value data.questions.0.id)

# sample: saveAnswer
curl "$ASSAY_URL/v1/candidate/session/answers/$QUESTION_ID" --request PUT \
  --header "Authorization: Bearer $INVITE_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"optionId": "a"}'
# end sample

# sample: recordActivity
curl "$ASSAY_URL/v1/candidate/session/activity" \
  --header "Authorization: Bearer $INVITE_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"language\": \"en\", \"questions\": [{\"questionId\": \"$QUESTION_ID\", \"seconds\": 24}]}"
# end sample

# sample: submitStage
curl "$ASSAY_URL/v1/candidate/session/stage/submit" \
  --header "Authorization: Bearer $INVITE_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"stageId\": \"$STAGE_ID\"}"
# end sample
REDIRECT_URL=$(value data.redirectUrl)
RESULT_TOKEN=${REDIRECT_URL#*result=}

# sample: retrieveOwnSelfIdentification
curl "$ASSAY_URL/v1/candidate/session/self-identification" \
  --header "Authorization: Bearer $INVITE_TOKEN"
# end sample

# sample: saveOwnSelfIdentification
curl "$ASSAY_URL/v1/candidate/session/self-identification" --request PUT \
  --header "Authorization: Bearer $INVITE_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"answers": [{"questionId": "sex", "optionId": "female"}]}'
# end sample
SESSION_ID=$ADA

# sample: exchangeResultToken
curl "$ASSAY_URL/v1/public/results/$RESULT_TOKEN" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: retrievePublicCandidateSessionResult
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/result" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: createResultToken
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/result-token" --request POST \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: createPublicResultLink
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/result-links" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --json '{"label": "Application 4711"}'
# end sample
LINK_ID=$(value data.id)

# sample: listPublicResultLinks
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/result-links" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: revokePublicResultLink
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/result-links/$LINK_ID" --request DELETE \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: createResultLink
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/result-links" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --json '{"label": "Ana Ruiz, head of kitchen", "withAnswers": true}'
# end sample
LINK_ID=$(value data.id)

# sample: listResultLinks
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/result-links" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: revokeResultLink
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/result-links/$LINK_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveCandidateSessionResult
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/result" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
