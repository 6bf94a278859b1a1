# The person has a passkey. The sign-in gets 401, and the problem has the challenge.
read -r RECOVERY_CODE OTHER_CODE _ <<<"$ASSAY_RECOVERY_CODES"
command curl --silent "$ASSAY_URL/v1/auth/login" --output "$answer" --header 'Content-Type: application/json' \
  --data "{\"email\": \"$ASSAY_PASSKEY_EMAIL\", \"password\": \"$ASSAY_PASSWORD\"}"
CHALLENGE=$(value secondFactor.challenge)

# sample: createPasskeyOptions
curl "$ASSAY_URL/v1/auth/second-factor/passkey-options" \
  --header 'Content-Type: application/json' \
  --data "{\"challenge\": \"$CHALLENGE\"}"
# end sample

# sample: completeSignIn
# CHALLENGE is secondFactor.challenge of the response to POST /v1/auth/login
curl "$ASSAY_URL/v1/auth/second-factor" \
  --header 'Content-Type: application/json' \
  --data "{\"challenge\": \"$CHALLENGE\", \"code\": \"$RECOVERY_CODE\"}"
# end sample
PERSON_TOKEN=$(value data.accessToken)
REFRESH_TOKEN=$(value data.refreshToken)

# sample: listMemberships
curl "$ASSAY_URL/v1/me/memberships" \
  --header "Authorization: Bearer $PERSON_TOKEN"
# end sample
ORGANIZATION_ID=$(value data.0.organization.id)

# sample: switchOrganization
# from now on, use the tokens of the response
curl "$ASSAY_URL/v1/me/organization" \
  --header "Authorization: Bearer $PERSON_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"organizationId\": \"$ORGANIZATION_ID\", \"refreshToken\": \"$REFRESH_TOKEN\"}"
# end sample
PERSON_TOKEN=$(value data.accessToken)

# sample: createSecondFactor
# show uri as a QR code
curl "$ASSAY_URL/v1/me/second-factors" \
  --header "Authorization: Bearer $PERSON_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"type\": \"TOTP\", \"name\": \"Phone\", \"password\": \"$ASSAY_PASSWORD\"}"
# end sample
SECOND_FACTOR_ID=$(value data.id)
CODE=$(python3 -c '
import base64, hmac, sys, time
digest = hmac.digest(base64.b32decode(sys.argv[1]), int(time.time() // 30).to_bytes(8, "big"), "sha1")
at = digest[-1] & 15
print("%06d" % ((int.from_bytes(digest[at:at + 4], "big") & 0x7FFFFFFF) % 1_000_000))' "$(value data.secret)")

# sample: confirmSecondFactor
# the code that the authenticator app shows; keep the recovery codes of the response
curl "$ASSAY_URL/v1/me/second-factors/$SECOND_FACTOR_ID/confirm" \
  --header "Authorization: Bearer $PERSON_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"code\": \"$CODE\"}"
# end sample

# sample: retrieveSecondFactors
curl "$ASSAY_URL/v1/me/second-factors" \
  --header "Authorization: Bearer $PERSON_TOKEN"
# end sample

# sample: createReauthenticationOptions
curl "$ASSAY_URL/v1/me/reauthentication/passkey-options" --request POST \
  --header "Authorization: Bearer $PERSON_TOKEN"
# end sample

# sample: reauthenticate
curl "$ASSAY_URL/v1/me/reauthentication" \
  --header "Authorization: Bearer $PERSON_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"code\": \"$OTHER_CODE\"}"
# end sample

# sample: createRecoveryCodes
curl "$ASSAY_URL/v1/me/recovery-codes" --request POST \
  --header "Authorization: Bearer $PERSON_TOKEN"
# end sample

# sample: deleteSecondFactor
curl "$ASSAY_URL/v1/me/second-factors/$SECOND_FACTOR_ID" --request DELETE \
  --header "Authorization: Bearer $PERSON_TOKEN"
# end sample

# sample: createSignInDomain
# publish txtValue of the response as a TXT record of txtName
curl "$ASSAY_URL/v1/organization/domains" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"domain": "analytical-engines.example"}'
# end sample
DOMAIN_ID=$(value data.id)

# sample: verifySignInDomain
curl "$ASSAY_URL/v1/organization/domains/$DOMAIN_ID/verify" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listSignInDomains
curl "$ASSAY_URL/v1/organization/domains" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: replaceSignInProvider
curl "$ASSAY_URL/v1/organization/sign-in-provider" --request PUT \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "issuer": "https://login.analytical-engines.example",
    "clientId": "assay",
    "clientSecret": "Zk4sW9qT2vLx",
    "createMembers": true,
    "defaultRole": "MEMBER"
  }'
# end sample

# sample: retrieveSignInProvider
curl "$ASSAY_URL/v1/organization/sign-in-provider" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: startProviderSignIn
# open startUrl of the response in the browser of the person
curl "$ASSAY_URL/v1/auth/sign-in-provider" \
  --header 'Content-Type: application/json' \
  --data '{"email": "mary@analytical-engines.example"}'
# end sample

# sample: createSignInRecoveryCodes
curl "$ASSAY_URL/v1/organization/sign-in-recovery-codes" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteSignInProvider
curl "$ASSAY_URL/v1/organization/sign-in-provider" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: deleteSignInDomain
curl "$ASSAY_URL/v1/organization/domains/$DOMAIN_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
