# sample: createQuestion
curl "$ASSAY_URL/v1/questions" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "tags": ["storage", "easy"],
    "question": {
      "type": "NUMERIC", "prompt": "At how many °C is insulin stored at most?", "points": 2, "answer": 8
    }
  }'
# end sample
QUESTION_ID=$(value data.id)

# sample: listQuestions
curl "$ASSAY_URL/v1/questions?tag=storage,easy" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listQuestionTags
curl "$ASSAY_URL/v1/question-tags" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveQuestion
curl "$ASSAY_URL/v1/questions/$QUESTION_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateQuestion
curl "$ASSAY_URL/v1/questions/$QUESTION_ID" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"tags": ["storage", "hard"]}'
# end sample

# sample: listQuestionVersions
curl "$ASSAY_URL/v1/questions/$QUESTION_ID/versions" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveQuestionStatistics
curl "$ASSAY_URL/v1/questions/$QUESTION_ID/statistics" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteQuestion
curl "$ASSAY_URL/v1/questions/$QUESTION_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
