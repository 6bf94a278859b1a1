from datetime import datetime

from assay import AuthenticatedClient, models
from assay.api.events import (
    list_event_types,
    list_events,
    list_public_events,
    retrieve_event,
    retrieve_public_event,
)
from client import ok


def events(assay: AuthenticatedClient) -> None:
    # sample: listEventTypes
    for event_type in ok(list_event_types.sync(client=assay)):
        print(f"{event_type.type_}: {event_type.description}")
    # end sample

    # sample: listEvents
    completed = models.EventTypeInput.CANDIDATE_COMPLETED
    events = ok(list_events.sync(client=assay, type_=completed))
    for item in events:
        print(item.timestamp, len(item.deliveries), "deliveries")
    # end sample

    event_id = events[0].id
    # sample: retrieveEvent
    event = ok(retrieve_event.sync(event_id, client=assay))
    print(event.type_, event.data["candidateName"], event.data["score"])
    # end sample


def follow(integration: AuthenticatedClient, began: datetime) -> None:
    # sample: listPublicEvents
    # Pass the id of the last event as "after" in the next run.
    oldest_first = models.ListPublicEventsOrder.ASC
    for item in ok(list_public_events.sync(client=integration, since=began, order=oldest_first)):
        print(item.timestamp, item.type_, item.id)
    # end sample

    completed = models.EventTypeInput.CANDIDATE_COMPLETED
    event_id = ok(list_public_events.sync(client=integration, type_=completed))[0].id
    # sample: retrievePublicEvent
    event = ok(retrieve_public_event.sync(event_id, client=integration))
    print(event.type_, event.data["candidateName"], event.data["score"])
    # end sample
