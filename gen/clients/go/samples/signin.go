package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the hash of authenticator apps
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"assay.example/integration/client"
	"assay.example/integration/generated/assay"
)

// totp returns the code that an authenticator app shows now for a secret in Base32 (RFC 6238).
func totp(secret string) (string, error) {
	key, err := base32.StdEncoding.DecodeString(secret)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(time.Now().Unix()/30)))
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[at:])&0x7fffffff%1_000_000), nil
}

// challenge signs in with a password only, and returns the challenge for the second factor.
func challenge(ctx context.Context, anybody *assay.ClientWithResponses, email, password string) (string, error) {
	_, err := anybody.LoginWithResponse(ctx, assay.LoginRequest{Email: email, Password: password})
	var problem *client.Problem
	if !errors.As(err, &problem) || problem.SecondFactor == nil {
		return "", fmt.Errorf("the sign-in needs no second factor: %w", err)
	}
	return problem.SecondFactor.Challenge, nil
}

// passkeys shows the sign-in of somebody with a passkey and recovery codes.
func (t *tour) passkeys(ctx context.Context) error {
	server := t.server
	anybody, err := client.New(server)
	if err != nil {
		return err
	}
	challenge, err := challenge(ctx, anybody, t.passkeyEmail, t.passkeyPassword)
	if err != nil {
		return err
	}
	// sample: createPasskeyOptions
	asked, err := anybody.CreatePasskeyOptionsWithResponse(ctx, assay.PasskeyOptionsRequest{Challenge: challenge})
	if err != nil {
		return err
	}
	fmt.Println("a browser asks for the passkey with", asked.JSON200.Data.PublicKey)
	// end sample

	recoveryCode := t.recoveryCodes[0]
	// sample: completeSignIn
	// challenge is SecondFactor.Challenge of the problem that the sign-in has returned
	login, err := anybody.CompleteSignInWithResponse(ctx,
		assay.SignInCompletion{Challenge: challenge, Code: &recoveryCode})
	if err != nil {
		return err
	}
	person, err := client.New(server, client.Bearer(login.JSON200.Data.AccessToken))
	if err != nil {
		return err
	}
	// end sample

	// sample: listMemberships
	memberships, err := person.ListMembershipsWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, membership := range memberships.JSON200.Data {
		fmt.Println(membership.Role, "of", membership.Organization.Name)
	}
	// end sample

	organizationID, refreshToken := memberships.JSON200.Data[0].Organization.ID, login.JSON200.Data.RefreshToken
	// sample: switchOrganization
	switched, err := person.SwitchOrganizationWithResponse(ctx,
		assay.OrganizationSwitch{OrganizationID: organizationID, RefreshToken: refreshToken})
	if err != nil {
		return err
	}
	person, err = client.New(server, client.Bearer(switched.JSON200.Data.AccessToken)) // the old tokens have ended
	if err != nil {
		return err
	}
	// end sample
	return t.secondFactors(ctx, person)
}

// secondFactors adds an authenticator app for a person, and removes it.
func (t *tour) secondFactors(ctx context.Context, person *assay.ClientWithResponses) error {
	password, otherCode := t.passkeyPassword, t.recoveryCodes[1]
	// sample: createSecondFactor
	factor, err := person.CreateSecondFactorWithResponse(ctx, assay.SecondFactorCreate{
		Type: assay.SecondFactorTypeInputTOTP, Name: "Phone", Password: password,
	})
	if err != nil {
		return err
	}
	fmt.Println("show this as a QR code:", factor.JSON200.Data.URI.MustGet())
	// end sample

	factorID := factor.JSON200.Data.ID
	code, err := totp(factor.JSON200.Data.Secret.MustGet())
	if err != nil {
		return err
	}
	// sample: confirmSecondFactor
	confirmed, err := person.ConfirmSecondFactorWithResponse(ctx, factorID, assay.SecondFactorConfirmation{Code: &code})
	if err != nil {
		return err
	}
	if codes, err := confirmed.JSON200.Data.RecoveryCodes.Get(); err == nil { // null if the person has codes already
		fmt.Println("keep these codes:", codes)
	}
	// end sample

	// sample: retrieveSecondFactors
	factors, err := person.RetrieveSecondFactorsWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println(len(factors.JSON200.Data.Factors), "second factors,",
		factors.JSON200.Data.RecoveryCodesLeft, "recovery codes")
	// end sample

	// sample: createReauthenticationOptions
	options, err := person.CreateReauthenticationOptionsWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println("a browser asks for the passkey with", options.JSON200.Data.PublicKey)
	// end sample

	// sample: reauthenticate
	_, err = person.ReauthenticateWithResponse(ctx, assay.Reauthentication{Code: &otherCode})
	if err != nil {
		return err
	}
	// end sample

	// sample: createRecoveryCodes
	created, err := person.CreateRecoveryCodesWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println("only these codes work now:", created.JSON200.Data.Codes)
	// end sample

	// sample: deleteSecondFactor
	if _, err := person.DeleteSecondFactorWithResponse(ctx, factorID); err != nil {
		return err
	}
	// end sample
	return nil
}
