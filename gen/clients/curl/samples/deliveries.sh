# The delivery appears shortly after the session is completed.
for ((tries = 0; tries < 200; tries++)); do
# sample: listDeliveries
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/deliveries?status=SUCCEEDED" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
	DELIVERY_ID=$(value data.0.id 2>/dev/null) && break
	sleep 0.1
done

# sample: retrieveDelivery
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/deliveries/$DELIVERY_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: redeliverDelivery
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/deliveries/$DELIVERY_ID/redeliver" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: replayWebhook
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID/replay" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{
    \"since\": \"$(date --utc --date '1 day ago' +%FT%TZ)\",
    \"until\": \"$(date --utc +%FT%TZ)\",
    \"eventType\": \"candidate.completed\"
  }"
# end sample

# shellcheck source=/dev/null
source "$samples/keys.sh"

# sample: listEventTypes
curl "$ASSAY_URL/v1/event-types" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listEvents
curl "$ASSAY_URL/v1/events?type=candidate.completed" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
EVENT_ID=$(value data.0.id)

# sample: retrieveEvent
curl "$ASSAY_URL/v1/events/$EVENT_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listPublicEvents
# oldest first; the next run begins after the last event of this one
curl "$ASSAY_URL/v1/public/events?order=asc&since=$(date --utc --date '1 day ago' +%FT%TZ)" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: retrievePublicEvent
curl "$ASSAY_URL/v1/public/events/$EVENT_ID" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: eraseCandidateData
curl "$ASSAY_URL/v1/candidate-sessions/$SESSION_ID/candidate-data" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: archiveAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/archive" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteWebhook
curl "$ASSAY_URL/v1/webhooks/$WEBHOOK_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: connectIntegration
curl "$ASSAY_URL/v1/integrations" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"partner\": \"greenhouse\", \"callbackKey\": \"$ASSAY_API_KEY\"}"
# end sample
INTEGRATION_ID=$(value data.id)

# sample: listIntegrations
curl "$ASSAY_URL/v1/integrations" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listIntegrationExchanges
curl "$ASSAY_URL/v1/integrations/$INTEGRATION_ID/exchanges" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: disconnectIntegration
curl "$ASSAY_URL/v1/integrations/$INTEGRATION_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
