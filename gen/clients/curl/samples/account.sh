# sample: login
curl "$ASSAY_URL/v1/auth/login" \
  --header 'Content-Type: application/json' \
  --data "{\"email\": \"$ASSAY_EMAIL\", \"password\": \"$ASSAY_PASSWORD\"}"
# end sample
REFRESH_TOKEN=$(value data.refreshToken)

# sample: refresh
curl "$ASSAY_URL/v1/auth/refresh" \
  --header 'Content-Type: application/json' \
  --data "{\"refreshToken\": \"$REFRESH_TOKEN\"}"
# end sample
ACCESS_TOKEN=$(value data.accessToken)

NEW_EMAIL=owner-$RANDOM$RANDOM$RANDOM@example.com
# sample: register
curl "$ASSAY_URL/v1/auth/register" \
  --header "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \
  --header 'Content-Type: application/json' \
  --data "{
    \"organizationName\": \"Difference Engines\",
    \"name\": \"Charles Babbage\",
    \"email\": \"$NEW_EMAIL\",
    \"password\": \"$ASSAY_PASSWORD\"
  }"
# end sample
REFRESH_TOKEN=$(value data.refreshToken)

# sample: logout
curl "$ASSAY_URL/v1/auth/logout" \
  --header 'Content-Type: application/json' \
  --data "{\"refreshToken\": \"$REFRESH_TOKEN\"}"
# end sample

# sample: retrieveMe
curl "$ASSAY_URL/v1/me" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateMe
curl "$ASSAY_URL/v1/me" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"name": "Ada King"}'
# end sample

NEW_PASSWORD='a longer horse battery staple'
# sample: changePassword
curl "$ASSAY_URL/v1/me/password" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"currentPassword\": \"$ASSAY_PASSWORD\", \"newPassword\": \"$NEW_PASSWORD\"}"
# end sample

# sample: forgotPassword
# the response is the same whether or not the account exists
curl "$ASSAY_URL/v1/auth/forgot-password" \
  --header 'Content-Type: application/json' \
  --data "{\"email\": \"$ASSAY_EMAIL\"}"
# end sample

RESET_URL=$ASSAY_RESET_URL
# sample: resetPassword
curl "$ASSAY_URL/v1/auth/reset-password" \
  --header 'Content-Type: application/json' \
  --data "{\"token\": \"${RESET_URL#*#}\", \"password\": \"$NEW_PASSWORD\"}"
# end sample

curl "$ASSAY_URL/v1/auth/login" \
  --header 'Content-Type: application/json' \
  --data "{\"email\": \"$ASSAY_RESET_EMAIL\", \"password\": \"$NEW_PASSWORD\"}"
OTHER_TOKEN=$(value data.accessToken)
CONFIRM_URL=$ASSAY_CONFIRM_URL

# sample: sendEmailConfirmation
# sends nothing if the address is confirmed
curl "$ASSAY_URL/v1/me/email-confirmation" --request POST \
  --header "Authorization: Bearer $OTHER_TOKEN"
# end sample

# sample: confirmEmail
curl "$ASSAY_URL/v1/me/email-confirmation" --request PUT \
  --header "Authorization: Bearer $OTHER_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"token\": \"${CONFIRM_URL#*#}\"}"
# end sample

# sample: deleteOrganization
# only without other members and candidates
curl "$ASSAY_URL/v1/organization" --request DELETE \
  --header "Authorization: Bearer $OTHER_TOKEN"
# end sample

# sample: retrieveOrganization
curl "$ASSAY_URL/v1/organization" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateOrganization
# null clears; what is left out stays
curl "$ASSAY_URL/v1/organization" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"inviteExpiryDays": 21, "redirectUrl": null}'
# end sample

# sample: createApiKey
curl "$ASSAY_URL/v1/api-keys" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "name": "Applicant tracking",
    "scopes": [
      "assessments:read", "candidates:read", "candidates:write", "results:read", "reviews:read", "reviews:write",
      "results:share", "webhooks:manage", "audit:read", "assessments:write", "candidates:erase"
    ]
  }'
# end sample
ASSAY_API_KEY=$(value data.key)
KEY_ID=$(value data.id)

# sample: retrievePublicMe
curl "$ASSAY_URL/v1/public/me" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listApiKeys
curl "$ASSAY_URL/v1/api-keys?limit=50" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveApiKey
curl "$ASSAY_URL/v1/api-keys/$KEY_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

curl "$ASSAY_URL/v1/api-keys" --header "Authorization: Bearer $ACCESS_TOKEN" --header 'Content-Type: application/json' --data '{"name": "Old", "scopes": ["results:read"]}'
KEY_ID=$(value data.id)
# sample: revokeApiKey
curl "$ASSAY_URL/v1/api-keys/$KEY_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
