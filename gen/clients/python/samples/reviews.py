from assay import AuthenticatedClient, models
from assay.api.reviews import (
    bulk_change_public_review_states,
    bulk_change_review_states,
    cancel_public_review_email,
    cancel_public_review_emails,
    cancel_review_email,
    cancel_review_emails,
    change_public_review_state,
    change_public_review_tags,
    change_review_state,
    change_review_tags,
    create_public_review_comment,
    create_review_comment,
    delete_public_review_rating,
    delete_review_comment,
    delete_review_rating,
    list_public_review_states,
    list_public_review_tags,
    list_review_states,
    list_review_tags,
    preview_review_email,
    replace_public_review_rating,
    replace_review_rating,
    replace_review_states,
    retrieve_public_review,
    retrieve_review,
    update_review_comment,
)
from client import ok


def by_person(assay: AuthenticatedClient, session_id: str) -> str:
    # sample: listReviewStates
    known = ok(list_review_states.sync(client=assay))
    for state in known.states:
        print(state.id, state.name)
    # end sample

    # sample: replaceReviewStates
    states = [models.ReviewStateInput(id=one.id, name=one.name, archived=one.archived) for one in known.states]
    states.append(models.ReviewStateInput(name="Trial shift"))
    new_list = models.ReviewStatesPut(version=known.version, states=states)
    trial = ok(replace_review_states.sync(client=assay, body=new_list)).states[-1]
    # end sample

    # sample: changeReviewState
    decision = models.ReviewStatePut(state_id=trial.id, from_="new", reason="Strong in both stages")
    review = ok(change_review_state.sync(session_id, client=assay, body=decision))
    print("now in", review.state.name)
    # end sample

    # sample: bulkChangeReviewStates
    candidates = [models.ReviewStateBulkItem(session_id=session_id, from_=trial.id)]
    subject, words = "Your application to {{organizationName}}", "Dear {{candidateName}},\n\nplease come on Thursday."
    email = models.ReviewEmailInput(subject=subject, text=words, delay_minutes=30)
    decisions = models.ReviewStateBulk(state_id="shortlisted", reason="It went well", rows=candidates, email=email)
    outcome = ok(bulk_change_review_states.sync(client=assay, body=decisions))
    for row in outcome.rows:
        print(row.index, row.outcome)
    # end sample
    batch_id = outcome.email_batch_id or ""

    # sample: previewReviewEmail
    draft = models.ReviewEmailPreview(subject="Your application to {{organizationName}}", text="Dear {{candidateName}}")
    print(ok(preview_review_email.sync(session_id, client=assay, body=draft)).text)
    # end sample

    # sample: cancelReviewEmail
    print(ok(cancel_review_email.sync(session_id, client=assay)).cancelled_count, "cancelled")
    # end sample

    # sample: cancelReviewEmails
    cancelled = ok(cancel_review_emails.sync(batch_id, client=assay))
    print(cancelled.cancelled_count, "cancelled,", cancelled.sent_count, "sent")
    # end sample

    # sample: changeReviewTags
    tags = models.ReviewTagsPatch(add=["night shift", "speaks French"])
    print(ok(change_review_tags.sync(session_id, client=assay, body=tags)).tags)
    # end sample

    # sample: listReviewTags
    for tag in ok(list_review_tags.sync(client=assay)):
        print(tag.name, tag.count)
    # end sample

    # sample: replaceReviewRating
    rated = ok(replace_review_rating.sync(session_id, client=assay, body=models.ReviewRatingPut(rating=4)))
    print("on average", rated.rating)
    # end sample

    # sample: deleteReviewRating
    delete_review_rating.sync_detailed(session_id, client=assay)
    # end sample

    # sample: createReviewComment
    said = models.ReviewCommentCreate(text="Asked good questions about allergens")
    comment = ok(create_review_comment.sync(session_id, client=assay, body=said))
    # end sample

    # sample: updateReviewComment
    better = models.ReviewCommentUpdate(text="Asked good questions about allergens. Invited for Thursday.")
    ok(update_review_comment.sync(session_id, comment.id, client=assay, body=better))
    # end sample

    # sample: retrieveReview
    for item in ok(retrieve_review.sync(session_id, client=assay)).comments:
        print(item.created_at, item.created_by.name, item.text)
    # end sample

    # sample: deleteReviewComment
    delete_review_comment.sync_detailed(session_id, comment.id, client=assay)
    # end sample
    return batch_id


def by_key(integration: AuthenticatedClient, session_id: str, batch_id: str) -> None:
    # sample: listPublicReviewStates
    names = {one.id: one.name for one in ok(list_public_review_states.sync(client=integration)).states}
    print(len(names), "states")
    # end sample

    # sample: changePublicReviewState
    hired = models.ReviewStatePut(state_id="hired")
    review = ok(change_public_review_state.sync(session_id, client=integration, body=hired))
    print("now in", review.state.name)
    # end sample

    # sample: bulkChangePublicReviewStates
    everyone = models.ReviewStateBulk(state_id="hired", rows=[models.ReviewStateBulkItem(session_id=session_id)])
    outcome = ok(bulk_change_public_review_states.sync(client=integration, body=everyone))
    print(outcome.failed_count, "failed")
    # end sample

    # sample: cancelPublicReviewEmail
    print(ok(cancel_public_review_email.sync(session_id, client=integration)).cancelled_count, "cancelled")
    # end sample

    # sample: cancelPublicReviewEmails
    print(ok(cancel_public_review_emails.sync(batch_id, client=integration)).sent_count, "sent")
    # end sample

    # sample: changePublicReviewTags
    checked = models.ReviewTagsPatch(add=["reference checked"], remove=["night shift"])
    print(ok(change_public_review_tags.sync(session_id, client=integration, body=checked)).tags)
    # end sample

    # sample: listPublicReviewTags
    for tag in ok(list_public_review_tags.sync(client=integration)):
        print(tag.name, tag.count)
    # end sample

    # sample: replacePublicReviewRating
    five = models.ReviewRatingPut(rating=5)
    print("on average", ok(replace_public_review_rating.sync(session_id, client=integration, body=five)).rating)
    # end sample

    # sample: deletePublicReviewRating
    delete_public_review_rating.sync_detailed(session_id, client=integration)
    # end sample

    # sample: createPublicReviewComment
    offer = models.ReviewCommentCreate(text="The offer was accepted")
    ok(create_public_review_comment.sync(session_id, client=integration, body=offer))
    # end sample

    # sample: retrievePublicReview
    for change in ok(retrieve_public_review.sync(session_id, client=integration)).changes:
        print(change.created_at, change.from_.name, "to", change.to.name)
    # end sample
