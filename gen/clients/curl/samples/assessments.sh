# sample: createAssessment
curl "$ASSAY_URL/v1/assessments" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{
    "title": "Night-shift pharmacist",
    "passingScore": 60,
    "redirectUrl": "https://jobs.example/thanks?source=assay",
    "stages": [{
      "title": "Storage",
      "questions": [{
        "type": "SINGLE_CHOICE",
        "prompt": "How long may a compounded syringe be kept at room temperature?",
        "points": 2,
        "options": [{"id": "a", "text": "Nine hours"}, {"id": "b", "text": "Two days"}],
        "correctOptionId": "a"
      }]
    }]
  }'
# end sample
ASSESSMENT_ID=$(value data.id)

# sample: updateAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID" --request PATCH \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/json' \
  --data '{"timeLimitMinutes": 45}'
# end sample

# sample: publishAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/publish" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrieveAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listAssessments
curl "$ASSAY_URL/v1/assessments?status=DRAFT" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: duplicateAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/duplicate" --request POST \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample
DRAFT_ID=$(value data.id)

# sample: exportAssessment
curl "$ASSAY_URL/v1/assessments/$ASSESSMENT_ID/export?format=GIFT" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

echo 'Which gas do plants take up? {=Carbon dioxide ~Oxygen}' >biology.gift
# sample: importAssessment
curl "$ASSAY_URL/v1/assessments/import?format=GIFT&fileName=biology.gift" \
  --header "Authorization: Bearer $ACCESS_TOKEN" \
  --header 'Content-Type: application/octet-stream' \
  --data-binary @biology.gift
# end sample

# sample: deleteAssessment
curl "$ASSAY_URL/v1/assessments/$DRAFT_ID" --request DELETE \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: listPublicAssessments
curl "$ASSAY_URL/v1/public/assessments" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: listPublicAssessmentChanges
curl "$ASSAY_URL/v1/public/assessments/changes?limit=100" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample
CHANGES_CURSOR=$(value data.cursor)

# sample: listAssessmentChanges
curl "$ASSAY_URL/v1/assessments/changes?limit=100&cursor=$CHANGES_CURSOR" \
  --header "Authorization: Bearer $ACCESS_TOKEN"
# end sample

# sample: retrievePublicAssessment
curl "$ASSAY_URL/v1/public/assessments/$ASSESSMENT_ID" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: exportPublicAssessment
curl "$ASSAY_URL/v1/public/assessments/$ASSESSMENT_ID/export?format=ASSAY_JSON" \
  --header "X-API-Key: $ASSAY_API_KEY"
# end sample

# sample: importPublicAssessment
curl "$ASSAY_URL/v1/public/assessments/import?dryRun=true" \
  --header "X-API-Key: $ASSAY_API_KEY" \
  --header 'Content-Type: application/octet-stream' \
  --data-binary @biology.gift
# end sample
