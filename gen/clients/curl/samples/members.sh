MEMBER_EMAIL=grace-$RANDOM$RANDOM$RANDOM@example.com
# sample: createMember
curl "$ASSAY_URL/v1/members" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data "{\"name\": \"Grace Hopper\", \"email\": \"$MEMBER_EMAIL\", \"role\": \"MEMBER\"}"
# end sample
MEMBER_ID=$(value data.id)

# sample: resendMemberInvitation
curl "$ASSAY_URL/v1/members/$MEMBER_ID/resend" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
INVITATION_URL=$(value data.invitationUrl)
INVITATION_TOKEN=${INVITATION_URL#*#}

# sample: acceptInvitation
curl "$ASSAY_URL/v1/auth/accept-invitation" \
  --header 'Content-Type: application/json' \
  --data "{\"token\": \"$INVITATION_TOKEN\", \"password\": \"$NEW_PASSWORD\"}"
# end sample

# sample: listMembers
curl "$ASSAY_URL/v1/members" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveMember
curl "$ASSAY_URL/v1/members/$MEMBER_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: updateMember
curl "$ASSAY_URL/v1/members/$MEMBER_ID" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"role": "ADMIN"}'
# end sample

# sample: removeMember
curl "$ASSAY_URL/v1/members/$MEMBER_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listAuditLog
curl "$ASSAY_URL/v1/audit-log?action=MEMBER_REMOVED" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

curl "$ASSAY_URL/v1/me/sign-ins" --header "Authorization: Bearer $ACCESS_TOKEN"
SIGN_IN_ID=$(value data.0.id)
# sample: endSignIn
curl "$ASSAY_URL/v1/me/sign-ins/$SIGN_IN_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
