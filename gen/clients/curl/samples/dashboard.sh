base64 --decode >logo.png <<<iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==

# sample: replaceOrganizationLogo
curl "$ASSAY_URL/v1/organization/logo" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: image/png' \
  --data-binary @logo.png
# end sample

# sample: deleteOrganizationLogo
curl "$ASSAY_URL/v1/organization/logo" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: createMedia
curl "$ASSAY_URL/v1/media" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: image/png' \
  --data-binary @logo.png
# end sample
MEDIA_ID=$(value data.id)

# sample: listMedia
curl "$ASSAY_URL/v1/media?limit=50" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveMedia
curl "$ASSAY_URL/v1/media/$MEDIA_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteMedia
curl "$ASSAY_URL/v1/media/$MEDIA_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: checkAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/check" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: previewAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/preview" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: bulkCreateCandidateSessions
curl "$ASSAY_URL/v1/candidate-sessions/bulk" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"rows\": [
    {\"assessmentId\": \"$ASSESSMENT_ID\", \"candidateName\": \"Alan Turing\", \"candidateEmail\": \"alan@candidates.example\"}
  ]}"
# end sample
SESSION_ID=$(value data.rows.0.session.id)
INVITE_URL=$(value data.rows.0.session.inviteUrl)
INVITE_TOKEN=${INVITE_URL#*#}

# sample: updateCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"extraTimePercent": 25, "note": "Agreed by phone"}'
# end sample

curl "$ASSAY_URL/v1/candidate/session/start" --request POST --header "Authorization: Bearer $INVITE_TOKEN"
curl "$ASSAY_URL/v1/candidate/session/stage" --header "Authorization: Bearer $INVITE_TOKEN"
STAGE_ID=$(value data.id)
QUESTION_ID=$(value data.questions.0.id)

# sample: startStage
curl "$ASSAY_URL/v1/candidate/session/stage/start" \
  --header "Authorization: Bearer $INVITE_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"stageId\": \"$STAGE_ID\"}"
# end sample

# sample: saveAnswers
curl "$ASSAY_URL/v1/candidate/session/answers" --request PUT \
  --header "Authorization: Bearer $INVITE_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"stageId\": \"$STAGE_ID\", \"clientId\": \"page-1\", \"answers\": [
    {\"questionId\": \"$QUESTION_ID\", \"answer\": {\"optionId\": \"a\"}, \"revision\": 1, \"seenRevision\": 0}
  ]}"
# end sample

# sample: clearAnswer
curl "$ASSAY_URL/v1/candidate/session/answers/$QUESTION_ID" --request DELETE \
  --header "Authorization: Bearer $INVITE_TOKEN"
# end sample

# sample: extendCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/extend" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"minutes": 10, "reason": "A power cut"}'
# end sample

# sample: retrieveCandidateSessionProgress
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/progress" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveCandidateSessionTimeline
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/timeline" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: summarizeCandidateSessions
curl "$ASSAY_URL/v1/candidate-sessions/summary?assessmentId=$ASSESSMENT_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveCandidateHistory
curl "$ASSAY_URL/v1/candidate-sessions/history" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"assessmentId\": \"$ASSESSMENT_ID\", \"candidateEmails\": [\"ada@example.com\"]}"
# end sample

# sample: exportCandidateSessions
curl "$ASSAY_URL/v1/candidate-sessions/export?assessmentId=$ASSESSMENT_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: exportCandidateSpreadsheet
curl "$ASSAY_URL/v1/candidate-sessions/spreadsheet?assessmentId=$ASSESSMENT_ID&language=de&timeZone=Europe/Berlin" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

SESSION_ID=$ADA
# sample: retrieveResults
curl "$ASSAY_URL/v1/results/batch" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"sessionIds\": [\"$SESSION_ID\"]}"
# end sample

# sample: replaceAssessmentNotifications
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/notifications" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"finishedEmail": true}'
# end sample

# sample: retrieveAssessmentNotifications
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/notifications" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: replaceAssessmentRegistration
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/registration" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"limit": 200}'
# end sample

# sample: retrieveAssessmentRegistration
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/registration" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: closeAssessmentRegistration
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/registration" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: replaceEmailText
curl "$ASSAY_URL/v1/email-texts" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "kind": "INVITE", "locale": "en", "subject": "Invitation: {{assessmentTitle}}",
    "text": "Dear {{candidateName}},\n\nplease start by {{lastDay}}."
  }'
# end sample

# sample: previewEmailText
curl "$ASSAY_URL/v1/email-texts/preview" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "kind": "INVITE", "locale": "en", "subject": "Invitation: {{assessmentTitle}}",
    "text": "Dear {{candidateName}},\n\nplease start by {{lastDay}}."
  }'
# end sample

# sample: testEmailText
curl "$ASSAY_URL/v1/email-texts/test" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"kind": "INVITE", "locale": "en"}'
# end sample

# sample: listEmailTexts
curl "$ASSAY_URL/v1/email-texts?assessmentId=$ASSESSMENT_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: resetEmailText
curl "$ASSAY_URL/v1/email-texts/reset" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"kind": "INVITE", "locale": "en"}'
# end sample

# sample: retrieveAssessmentStatistics
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/statistics" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveAssessmentQuestionStatistics
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/statistics/questions" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listAllDeliveries
curl "$ASSAY_URL/v1/deliveries?status=FAILED" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveWebhookStatistics
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/statistics" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: exportAuditLog
curl "$ASSAY_URL/v1/audit-log/export?action=API_KEY_CREATED" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveOverview
curl "$ASSAY_URL/v1/overview" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listSignIns
curl "$ASSAY_URL/v1/me/sign-ins" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: endSignIns
curl "$ASSAY_URL/v1/me/sign-ins" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
