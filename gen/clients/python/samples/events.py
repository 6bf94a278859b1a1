from assay import AuthenticatedClient, models
from assay.api.events import list_event_types, list_events, retrieve_event
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
