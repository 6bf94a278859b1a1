package main

import (
	"context"
	"fmt"

	"assay.example/integration/client"
	"assay.example/integration/generated/assay"
)

// provider lets members sign in with the provider of their company.
func (t *tour) provider(ctx context.Context) error {
	anybody, err := client.New(t.server)
	if err != nil {
		return err
	}
	person := t.person
	// sample: createSignInDomain
	domain, err := person.CreateSignInDomainWithResponse(ctx,
		assay.SignInDomainCreate{Domain: "analytical-engines.example"})
	if err != nil {
		return err
	}
	fmt.Println("publish", domain.JSON200.Data.TxtValue, "as a TXT record of", domain.JSON200.Data.TxtName)
	// end sample

	domainID := domain.JSON200.Data.ID
	// sample: verifySignInDomain
	verified, err := person.VerifySignInDomainWithResponse(ctx, domainID)
	if err != nil {
		return err
	}
	fmt.Println(verified.JSON200.Data.Domain, "is", verified.JSON200.Data.State)
	// end sample

	// sample: listSignInDomains
	domains, err := person.ListSignInDomainsWithResponse(ctx)
	if err != nil {
		return err
	}
	for _, domain := range domains.JSON200.Data {
		fmt.Println(domain.Domain, "is", domain.State)
	}
	// end sample

	// sample: replaceSignInProvider
	replaced, err := person.ReplaceSignInProviderWithResponse(ctx, assay.SignInProviderReplacement{
		Issuer:        "https://login.analytical-engines.example",
		ClientID:      "assay",
		ClientSecret:  new("Zk4sW9qT2vLx"),
		CreateMembers: new(true),
	})
	if err != nil {
		return err
	}
	fmt.Println("register", replaced.JSON200.Data.CallbackURL, "at the provider")
	// end sample

	// sample: retrieveSignInProvider
	present, err := person.RetrieveSignInProviderWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println("recovery codes left:", present.JSON200.Data.RecoveryCodesLeft)
	// end sample

	// sample: startProviderSignIn
	started, err := anybody.StartProviderSignInWithResponse(ctx,
		assay.ProviderSignInStart{Email: "mary@analytical-engines.example"})
	if err != nil {
		return err
	}
	if startURL, err := started.JSON200.Data.StartURL.Get(); err == nil { // null without a provider for the domain
		fmt.Println("open in the browser of the person:", startURL)
	}
	// end sample

	// sample: createSignInRecoveryCodes
	created, err := person.CreateSignInRecoveryCodesWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println("keep these codes for the owners:", created.JSON200.Data.Codes)
	// end sample

	// sample: deleteSignInProvider
	if _, err := person.DeleteSignInProviderWithResponse(ctx); err != nil {
		return err
	}
	// end sample

	// sample: deleteSignInDomain
	if _, err := person.DeleteSignInDomainWithResponse(ctx, domainID); err != nil {
		return err
	}
	// end sample
	return nil
}
