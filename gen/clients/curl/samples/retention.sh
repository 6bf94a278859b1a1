# sample: retrieveRetention
curl "$ASSAY_URL/v1/retention" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: previewRetention
curl "$ASSAY_URL/v1/retention/preview" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"months": 12, "notStartedMonths": 1}'
# end sample

# sample: replaceRetention
curl "$ASSAY_URL/v1/retention" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"months": 12, "notStartedMonths": 1, "states": [{"stateId": "rejected", "months": 6}]}'
# end sample

# sample: replaceAssessmentRetention
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/retention" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"months": 24}'
# end sample

# sample: retrieveAssessmentRetention
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/retention" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteAssessmentRetention
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/retention" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: createLegalHold
curl "$ASSAY_URL/v1/legal-holds" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"sessionId\": \"$SESSION_ID\", \"reason\": \"Claim 14-220 before the labour court\"}"
# end sample
LEGAL_HOLD_ID=$(value data.id)

# sample: listLegalHolds
curl "$ASSAY_URL/v1/legal-holds?sessionId=$SESSION_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveLegalHold
curl "$ASSAY_URL/v1/legal-holds/$LEGAL_HOLD_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteLegalHold
curl "$ASSAY_URL/v1/legal-holds/$LEGAL_HOLD_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
