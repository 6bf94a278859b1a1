# sample: createSegment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/segments" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"name": "First attempts", "filter": {"attempt": 1}}'
# end sample
SEGMENT_ID=$(value data.id)

# sample: listSegments
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/segments" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveSegmentComparison
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/segments/$SEGMENT_ID/comparison" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteSegment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/segments/$SEGMENT_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveGroupStatistics
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/statistics/groups" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: exportResponses
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/responses/export" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: exportCodeBook
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/responses/code-book" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: exportPublicResponses
curl "$ASSAY_URL/v1/public/assessments/$ASSESSMENT_ID/responses/export" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: exportPublicCodeBook
curl "$ASSAY_URL/v1/public/assessments/$ASSESSMENT_ID/responses/code-book" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: replaceCutScoreRatings
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/cut-score/ratings" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"ratings\": [{\"questionId\": \"$QUESTION_ID\", \"percent\": 65}]}"
# end sample

# sample: retrieveCutScoreRatings
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/cut-score/ratings" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveCutScore
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/cut-score" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteCutScoreRatings
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/cut-score/ratings" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
