# sample: createWebhook
curl "$ASSAY_URL/v1/webhooks" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"url\": \"$HOOKS\",
    \"events\": [\"candidate.completed\", \"candidate.disqualified\"]
  }"
# end sample
WEBHOOK_ID=$(value data.id)

# sample: testWebhook
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/test" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listWebhooks
curl "$ASSAY_URL/v1/webhooks" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateWebhook
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"description": "Applicant tracking"}'
# end sample

# sample: retrieveWebhook
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: rotateWebhookSecret
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/rotate-secret" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"activateAfterSeconds": 3600}'
# end sample
