# sample: listAssessmentQuestionAnswers
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/questions/$QUESTION_ID/answers" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: previewAssessmentCorrection
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/correction-preview" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"questionId\": \"$QUESTION_ID\",
    \"action\": \"ACCEPT_ALSO\",
    \"key\": {\"correctOptionId\": \"b\"},
    \"reason\": \"Two days are right in a refrigerator\"
  }"
# end sample

# sample: createAssessmentCorrection
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/corrections" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Idempotency-Key: correction-17' \
  --header 'Content-Type: application/json' \
  --data "{
    \"questionId\": \"$QUESTION_ID\",
    \"action\": \"ACCEPT_ALSO\",
    \"key\": {\"correctOptionId\": \"b\"},
    \"reason\": \"Two days are right in a refrigerator\"
  }"
# end sample
CORRECTION_ID=$(value data.id)

# sample: retrieveAssessmentCorrection
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/corrections/$CORRECTION_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# it has been applied to all sessions as soon as `appliedAt` is set
# end sample

# sample: listAssessmentCorrections
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/corrections" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: withdrawAssessmentCorrection
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/corrections/$CORRECTION_ID/withdraw" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"reason": "The question says room temperature"}'
# end sample

# sample: gradeCandidateSessionAnswer
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/grades/$QUESTION_ID" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"points": 1.5, "reason": "Right, but only by the old edition", "version": 0}'
# end sample

# sample: listCandidateSessionGrades
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/grades" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listResultRevisions
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/result/revisions" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveResultRevision
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/result/revisions/1" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

SESSION_ID=$ASSAY_REVIEW_SESSION
# sample: retrieveOpenDecision
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/open-decision" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
STAGE_ID=$(value data.stageId)

# sample: ruleCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/rulings" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"stageId\": \"$STAGE_ID\",
    \"decision\": \"PASS\",
    \"reason\": \"The wrong answer concerns equipment that we do not use\"
  }"
# end sample

SESSION_ID=$ASSAY_LATE_SESSION
# sample: listLateAnswers
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/late-answers" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: countLateAnswers
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/late-answers/count" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"reason": "The network of the test room failed"}'
# end sample

# sample: reopenCandidateSession
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/reopen" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"minutes": 10, "reason": "The network of the test room failed"}'
# end sample
