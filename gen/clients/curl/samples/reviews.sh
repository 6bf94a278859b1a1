# sample: listReviewStates
curl "$ASSAY_URL/v1/review-states" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
VERSION=$(value data.version)

# sample: replaceReviewStates
curl "$ASSAY_URL/v1/review-states" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"version\": $VERSION,
    \"states\": [
      {\"id\": \"new\", \"name\": \"New\"},
      {\"id\": \"shortlisted\", \"name\": \"Interview\"},
      {\"name\": \"Trial shift\"},
      {\"id\": \"rejected\", \"name\": \"Rejected\"},
      {\"id\": \"hired\", \"name\": \"Hired\"}
    ]
  }"
# end sample

# sample: changeReviewState
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/state" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"stateId": "shortlisted", "from": "new", "reason": "Strong in both stages"}'
# end sample

# sample: bulkChangeReviewStates
curl "$ASSAY_URL/v1/candidate-sessions/review-states" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"stateId\": \"rejected\",
    \"reason\": \"The position is filled\",
    \"rows\": [{\"sessionId\": \"$SESSION_ID\", \"from\": \"shortlisted\"}],
    \"email\": {
      \"subject\": \"Your application to {{organizationName}}\",
      \"text\": \"Dear {{candidateName}},\\n\\nwe have chosen somebody else.\"
    }
  }"
# end sample
EMAIL_BATCH_ID=$(value data.emailBatchId)

# sample: previewReviewEmail
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/email/preview" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"subject": "Your application to {{organizationName}}", "text": "Dear {{candidateName}}"}'
# end sample

# sample: cancelReviewEmail
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/email/cancel" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: cancelReviewEmails
curl "$ASSAY_URL/v1/review-emails/$EMAIL_BATCH_ID/cancel" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: changeReviewTags
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/tags" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"add": ["night shift", "speaks French"]}'
# end sample

# sample: listReviewTags
curl "$ASSAY_URL/v1/review-tags" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: replaceReviewRating
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/rating" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"rating": 4}'
# end sample

# sample: deleteReviewRating
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/rating" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: createReviewComment
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/comments" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Idempotency-Key: comment-3' \
  --header 'Content-Type: application/json' \
  --data '{"text": "Asked good questions about allergens"}'
# end sample
COMMENT_ID=$(value data.id)

# sample: updateReviewComment
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/comments/$COMMENT_ID" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"text": "Asked good questions about allergens. Invited for Thursday."}'
# end sample

# sample: retrieveReview
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteReviewComment
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/review/comments/$COMMENT_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listPublicReviewStates
curl "$ASSAY_URL/v1/public/review-states" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: changePublicReviewState
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review/state" --request PUT \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"stateId": "hired"}'
# end sample

# sample: bulkChangePublicReviewStates
curl "$ASSAY_URL/v1/public/candidate-sessions/review-states" --request PUT \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data "{\"stateId\": \"hired\", \"rows\": [{\"sessionId\": \"$SESSION_ID\"}]}"
# end sample

# sample: cancelPublicReviewEmail
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review/email/cancel" --request POST \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: cancelPublicReviewEmails
curl "$ASSAY_URL/v1/public/review-emails/$EMAIL_BATCH_ID/cancel" --request POST \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: changePublicReviewTags
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review/tags" --request PATCH \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"add": ["reference checked"], "remove": ["night shift"]}'
# end sample

# sample: listPublicReviewTags
curl "$ASSAY_URL/v1/public/review-tags" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: replacePublicReviewRating
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review/rating" --request PUT \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"rating": 5}'
# end sample

# sample: deletePublicReviewRating
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review/rating" --request DELETE \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: createPublicReviewComment
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review/comments" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"text": "The offer was accepted"}'
# end sample

# sample: retrievePublicReview
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/review" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample
