# sample: retrieveGradingQueue
curl "$ASSAY_URL/v1/grading" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

GRADED_ID=$ASSAY_GRADING_ASSESSMENT
# sample: claimAnswer
curl "$ASSAY_URL/v1/grading/claims" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"assessmentId\": \"$GRADED_ID\"}"
# end sample
CLAIM_ID=$(value data.claim.id)

# sample: saveClaimDraft
curl "$ASSAY_URL/v1/grading/claims/$CLAIM_ID/draft" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"points": null, "rubric": [], "comment": "The cause is missing"}'
# end sample

# sample: gradeClaim
curl "$ASSAY_URL/v1/grading/claims/$CLAIM_ID/grade" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"points": 3, "comment": "The cause is missing"}'
# the response has the next answer
# end sample

# sample: undoClaim
curl "$ASSAY_URL/v1/grading/claims/$CLAIM_ID/undo" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: releaseClaim
curl "$ASSAY_URL/v1/grading/claims/$CLAIM_ID/release" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveGradingAgreement
curl "$ASSAY_URL/v1/assessments/$GRADED_ID/grading-agreement" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
