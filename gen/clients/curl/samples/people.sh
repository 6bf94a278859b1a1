# sample: retrieveCandidateData
curl "$ASSAY_URL/v1/candidate-data" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"email": "ada@candidates.example"}'
# end sample

# sample: renderCandidateDataPage
curl "$ASSAY_URL/v1/candidate-data/page" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"email": "ada@candidates.example"}' \
  --output candidate-data.html
# end sample

# sample: retrievePublicCandidateData
# the key needs candidates:read, results:read, and reviews:read
curl "$ASSAY_URL/v1/public/candidate-data" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"email": "ada@candidates.example"}'
# end sample

# sample: erasePublicCandidateData
# the key needs candidates:erase
curl "$ASSAY_URL/v1/public/candidate-sessions/$SESSION_ID/candidate-data" --request DELETE \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: eraseCandidateDataByEmail
curl "$ASSAY_URL/v1/candidate-data/erase" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"email": "ada@candidates.example"}'
# repeat it while data.remaining is not 0
# end sample

# sample: erasePublicCandidateDataByEmail
curl "$ASSAY_URL/v1/public/candidate-data/erase" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/json' \
  --data '{"email": "grace@candidates.example"}'
# end sample

curl "$ASSAY_URL/v1/organization" --header "Authorization: Bearer $ACCESS_TOKEN"
ORGANIZATION_NAME=$(value data.name)

# sample: scheduleOrganizationDeletion
# the name confirms it
curl "$ASSAY_URL/v1/organization/deletion" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"name\": \"$ORGANIZATION_NAME\"}"
# end sample

# sample: cancelOrganizationDeletion
curl "$ASSAY_URL/v1/organization/deletion" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
