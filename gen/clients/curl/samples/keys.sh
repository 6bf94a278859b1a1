# sample: listPublicAuditLog
curl "$ASSAY_URL/v1/public/audit-log?action=API_KEY_CREATED" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listPublicAuditLogChanges
curl "$ASSAY_URL/v1/public/audit-log/changes?limit=100" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: exportPublicAuditLog
curl "$ASSAY_URL/v1/public/audit-log/export?action=API_KEY_CREATED" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

base64 --decode >picture.png <<<iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==

# sample: createPublicMedia
curl "$ASSAY_URL/v1/public/media" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: image/png' \
  --data-binary @picture.png
# end sample

# sample: createPublicWebhook
curl "$ASSAY_URL/v1/public/webhooks" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data "{\"url\": \"$HOOKS\", \"events\": [\"candidate.completed\", \"assessment.published\"]}"
# end sample
OWN_WEBHOOK_ID=$(value data.id)

# sample: testPublicWebhook
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID/test" --request POST \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listPublicWebhooks
curl "$ASSAY_URL/v1/public/webhooks" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: updatePublicWebhook
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID" --request PATCH \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"description": "Nightly import"}'
# end sample

# sample: retrievePublicWebhook
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: rotatePublicWebhookSecret
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID/rotate-secret" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"activateAfterSeconds": 3600}'
# end sample

# sample: replayPublicWebhook
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID/replay" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data "{
    \"since\": \"$(date --utc --date '1 day ago' +%FT%TZ)\",
    \"until\": \"$(date --utc +%FT%TZ)\",
    \"dryRun\": true
  }"
# end sample

# sample: retrievePublicWebhookStatistics
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID/statistics" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listPublicDeliveries
curl "$ASSAY_URL/v1/public/webhooks/$WEBHOOK_ID/deliveries?status=SUCCEEDED" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listAllPublicDeliveries
curl "$ASSAY_URL/v1/public/deliveries?status=FAILED" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: retrievePublicDelivery
curl "$ASSAY_URL/v1/public/webhooks/$WEBHOOK_ID/deliveries/$DELIVERY_ID" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: redeliverPublicDelivery
curl "$ASSAY_URL/v1/public/webhooks/$WEBHOOK_ID/deliveries/$DELIVERY_ID/redeliver" --request POST \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: deletePublicWebhook
curl "$ASSAY_URL/v1/public/webhooks/$OWN_WEBHOOK_ID" --request DELETE \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listPublicEventTypes
curl "$ASSAY_URL/v1/public/event-types" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample
