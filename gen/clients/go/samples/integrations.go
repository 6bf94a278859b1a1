package main

import (
	"context"
	"fmt"
	"os"

	"assay.example/integration/generated/assay"
)

// integrations connects an applicant tracking system, and disconnects it.
func (t *tour) integrations(ctx context.Context) error {
	person := t.person
	callbackKey := os.Getenv("ASHBY_API_KEY")
	if callbackKey == "" {
		callbackKey = "an-api-key-of-ashby"
	}
	// sample: connectIntegration
	connected, err := person.ConnectIntegrationWithResponse(ctx, assay.IntegrationConnect{
		Partner: assay.PartnerInputAshby, CallbackKey: callbackKey,
	})
	if err != nil {
		return err
	}
	fmt.Println("enter this address at Ashby:", connected.JSON200.Data.BaseURL)
	// end sample

	// sample: listIntegrations
	integrations, err := person.ListIntegrationsWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, integration := range integrations.JSON200.Data {
		fmt.Println(integration.Partner, "is connected since", integration.ConnectedAt)
	}
	// end sample

	integrationID := connected.JSON200.Data.ID
	// sample: listIntegrationExchanges
	exchanges, err := person.ListIntegrationExchangesWithResponse(ctx, integrationID)
	if err != nil {
		return err
	}
	for _, exchange := range exchanges.JSON200.Data {
		fmt.Println(exchange.CreatedAt, exchange.Direction, exchange.Method, exchange.Address)
	}
	// end sample

	// sample: disconnectIntegration
	if _, err := person.DisconnectIntegrationWithResponse(ctx, integrationID); err != nil {
		return err
	}
	// end sample
	return nil
}
