# sample: login
curl "$ASSAY_URL/v1/auth/login" \
  --json "{\"email\": \"$ASSAY_EMAIL\", \"password\": \"$ASSAY_PASSWORD\"}"
# end sample
REFRESH_TOKEN=$(value data.refreshToken)

# sample: refresh
curl "$ASSAY_URL/v1/auth/refresh" \
  --json "{\"refreshToken\": \"$REFRESH_TOKEN\"}"
# end sample
ACCESS_TOKEN=$(value data.accessToken)

NEW_EMAIL=owner-$RANDOM$RANDOM$RANDOM@example.com
# sample: register
curl "$ASSAY_URL/v1/auth/register" \
  --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
  --json "{
    \"organizationName\": \"Difference Engines\",
    \"name\": \"Charles Babbage\",
    \"email\": \"$NEW_EMAIL\",
    \"password\": \"$ASSAY_PASSWORD\"
  }"
# end sample
REFRESH_TOKEN=$(value data.refreshToken)

# sample: logout
curl "$ASSAY_URL/v1/auth/logout" \
  --json "{\"refreshToken\": \"$REFRESH_TOKEN\"}"
# end sample

# sample: retrieveMe
curl "$ASSAY_URL/v1/me" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateMe
curl "$ASSAY_URL/v1/me" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --json '{"name": "Ada King"}'
# end sample

NEW_PASSWORD='a longer horse battery staple'
# sample: changePassword
curl "$ASSAY_URL/v1/me/password" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --json "{\"currentPassword\": \"$ASSAY_PASSWORD\", \"newPassword\": \"$NEW_PASSWORD\"}"
# end sample

# sample: retrieveOrganization
curl "$ASSAY_URL/v1/organization" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateOrganization
# null clears; what is left out stays
curl "$ASSAY_URL/v1/organization" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --json '{"inviteExpiryDays": 21, "redirectUrl": null}'
# end sample

# sample: createApiKey
curl "$ASSAY_URL/v1/api-keys" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --json '{
    "name": "Applicant tracking",
    "scopes": ["assessments:read", "candidates:read", "candidates:write", "results:read"]
  }'
# end sample
API_KEY=$(value data.key)
KEY_ID=$(value data.id)

# sample: listApiKeys
curl "$ASSAY_URL/v1/api-keys?limit=50" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveApiKey
curl "$ASSAY_URL/v1/api-keys/$KEY_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

curl "$ASSAY_URL/v1/api-keys" --header "Authorization: Bearer $ACCESS_TOKEN" --json '{"name": "Old", "scopes": ["results:read"]}'
KEY_ID=$(value data.id)
# sample: revokeApiKey
curl "$ASSAY_URL/v1/api-keys/$KEY_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
