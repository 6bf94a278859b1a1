import os

from assay import AuthenticatedClient, models
from assay.api.integrations import (
    connect_integration,
    disconnect_integration,
    list_integration_exchanges,
    list_integrations,
)
from client import ok


def tracking_systems(assay: AuthenticatedClient) -> None:
    callback_key = os.environ.get("ASHBY_API_KEY", "an-api-key-of-ashby")
    # sample: connectIntegration
    connection = models.IntegrationConnect(
        partner=models.PartnerInput.ASHBY, callback_key=callback_key
    )
    connected = ok(connect_integration.sync(client=assay, body=connection))
    print("enter this address at Ashby:", connected.base_url)
    # end sample

    # sample: listIntegrations
    for integration in ok(list_integrations.sync(client=assay)):
        print(integration.partner, "is connected since", integration.connected_at)
    # end sample

    integration_id = connected.id
    # sample: listIntegrationExchanges
    for exchange in ok(list_integration_exchanges.sync(integration_id, client=assay)):
        print(exchange.direction, exchange.method, exchange.address, exchange.status)
    # end sample

    # sample: disconnectIntegration
    disconnect_integration.sync_detailed(integration_id, client=assay)
    # end sample
