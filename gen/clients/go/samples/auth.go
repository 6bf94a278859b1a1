package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"assay.example/integration/client"
	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)

// afterHash is the token of a link.
func afterHash(link string) string {
	_, token, _ := strings.Cut(link, "#")
	return token
}

func (t *tour) signIn(ctx context.Context) error {
	anybody, err := client.New(t.server)
	if err != nil {
		return err
	}
	server, email, password := t.server, t.email, t.password
	// sample: login
	login, err := anybody.LoginWithResponse(ctx, assay.LoginRequest{Email: email, Password: password})
	if err != nil {
		return err
	}
	person, err := client.New(server, client.Bearer(login.JSON200.Data.AccessToken))
	if err != nil {
		return err
	}
	// end sample
	t.person = person
	refreshToken := login.JSON200.Data.RefreshToken

	// sample: refresh
	pair, err := anybody.RefreshWithResponse(ctx, assay.RefreshRequest{RefreshToken: refreshToken})
	if err != nil {
		return err
	}
	accessToken, refreshToken := pair.JSON200.Data.AccessToken, pair.JSON200.Data.RefreshToken // keep both: the old ones end
	// end sample
	if t.person, err = client.New(server, client.Bearer(accessToken)); err != nil {
		return err
	}

	another := "owner-" + strings.ToLower(rand.Text()) + "@example.com"
	// sample: register
	registered, err := anybody.RegisterWithResponse(ctx, nil, assay.RegisterRequest{
		OrganizationName: "Difference Engines",
		Name:             "Charles Babbage",
		Email:            assay.Email(another),
		Password:         password,
	})
	if err != nil {
		return err
	}
	fmt.Println("registered", registered.JSON201.Data.Organization.Name)
	// end sample
	refreshToken = registered.JSON201.Data.RefreshToken

	// sample: logout
	if _, err := anybody.LogoutWithResponse(ctx, assay.RefreshRequest{RefreshToken: refreshToken}); err != nil {
		return err
	}
	// end sample
	return nil
}

func (t *tour) account(ctx context.Context) error {
	person := t.person
	// sample: retrieveMe
	me, err := person.RetrieveMeWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println(me.JSON200.Data.Name, "is", me.JSON200.Data.Role, "of", me.JSON200.Data.Organization.Name)
	// end sample

	// sample: updateMe
	renamed, err := person.UpdateMeWithResponse(ctx, assay.MeUpdate{Name: new("Ada King")})
	if err != nil {
		return err
	}
	fmt.Println("now called", renamed.JSON200.Data.Name)
	// end sample

	password, newPassword := t.password, "a longer horse battery staple"
	// sample: changePassword
	_, err = person.ChangePasswordWithResponse(ctx,
		assay.PasswordChange{CurrentPassword: password, NewPassword: newPassword})
	if err != nil {
		return err
	}
	// end sample
	t.password = newPassword

	// sample: retrieveOrganization
	organization, err := person.RetrieveOrganizationWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println("invites live", organization.JSON200.Data.InviteExpiryDays, "days")
	// end sample

	// sample: updateOrganization
	updated, err := person.UpdateOrganizationWithResponse(ctx, assay.OrganizationUpdate{
		InviteExpiryDays: new(21),
		RedirectURL:      nullable.NewNullNullable[string](), // null clears; what is left out stays
	})
	if err != nil {
		return err
	}
	fmt.Println("invites live", updated.JSON200.Data.InviteExpiryDays, "days now")
	// end sample
	return nil
}

// forgotten resets the password of another account, because a reset ends the sign-ins of the person.
func (t *tour) forgotten(ctx context.Context) error {
	anybody, err := client.New(t.server)
	if err != nil {
		return err
	}
	email := t.email
	// sample: forgotPassword
	_, err = anybody.ForgotPasswordWithResponse(ctx, assay.PasswordForgotten{Email: assay.Email(email)})
	if err != nil {
		return err
	}
	// end sample

	token, newPassword := afterHash(t.resetURL), otherPassword
	// sample: resetPassword
	_, err = anybody.ResetPasswordWithResponse(ctx, assay.PasswordReset{Token: token, Password: newPassword})
	if err != nil {
		return err
	}
	// end sample
	return nil
}

// otherPassword is the new password of the account with the forgotten one.
const otherPassword = "a longer horse battery staple"

// leaving confirms the address of the other account, and deletes its organization.
func (t *tour) leaving(ctx context.Context) error {
	anybody, err := client.New(t.server)
	if err != nil {
		return err
	}
	login, err := anybody.LoginWithResponse(ctx,
		assay.LoginRequest{Email: t.resetEmail, Password: otherPassword})
	if err != nil {
		return err
	}
	other, err := client.New(t.server, client.Bearer(login.JSON200.Data.AccessToken))
	if err != nil {
		return err
	}

	// sample: sendEmailConfirmation
	// sends nothing if the address is confirmed
	if _, err := other.SendEmailConfirmationWithResponse(ctx); err != nil {
		return err
	}
	// end sample

	token := afterHash(t.confirmURL)
	// sample: confirmEmail
	if _, err := other.ConfirmEmailWithResponse(ctx, assay.EmailConfirmation{Token: token}); err != nil {
		return err
	}
	// end sample

	// sample: deleteOrganization
	// only without other members and candidates
	if _, err := other.DeleteOrganizationWithResponse(ctx); err != nil {
		return err
	}
	// end sample
	return nil
}

func (t *tour) apiKeys(ctx context.Context) error {
	person, server := t.person, t.server
	// sample: createApiKey
	key, err := person.CreateAPIKeyWithResponse(ctx, nil, assay.APIKeyCreate{
		Name: "Applicant tracking",
		Scopes: assay.APIKeyScopes{
			assay.APIKeyScopeInputASSESSMENTSREAD, assay.APIKeyScopeInputCANDIDATESREAD,
			assay.APIKeyScopeInputCANDIDATESWRITE, assay.APIKeyScopeInputRESULTSREAD,
			assay.APIKeyScopeInputREVIEWSREAD, assay.APIKeyScopeInputREVIEWSWRITE,
			assay.APIKeyScopeInputRESULTSSHARE, assay.APIKeyScopeInputWEBHOOKSMANAGE,
			assay.APIKeyScopeInputAUDITREAD, assay.APIKeyScopeInputASSESSMENTSWRITE,
			assay.APIKeyScopeInputCANDIDATESERASE,
		},
	})
	if err != nil {
		return err
	}
	integration, err := client.New(server, client.APIKey(key.JSON201.Data.Key)) // shown this once: keep it as a secret
	if err != nil {
		return err
	}
	// end sample
	t.integration = integration
	keyID := key.JSON201.Data.ID

	// sample: retrievePublicMe
	me, err := integration.RetrievePublicMeWithResponse(ctx)
	if err != nil {
		return err
	}
	fmt.Println(me.JSON200.Data.Organization.Name, "permits", me.JSON200.Data.Scopes)
	// end sample

	// sample: listApiKeys
	keys, err := person.ListAPIKeysWithResponse(ctx, &assay.ListAPIKeysParams{Limit: new(50)})
	if err != nil {
		return err
	}
	for _, key := range keys.JSON200.Data {
		fmt.Println(key.Name, key.Prefix+"…"+key.Last4, key.Scopes)
	}
	// end sample

	// sample: retrieveApiKey
	found, err := person.RetrieveAPIKeyWithResponse(ctx, keyID)
	if err != nil {
		return err
	}
	fmt.Println("revoked:", !found.JSON200.Data.RevokedAt.IsNull())
	// end sample

	old, err := person.CreateAPIKeyWithResponse(ctx, nil,
		assay.APIKeyCreate{Name: "Old", Scopes: assay.APIKeyScopes{assay.APIKeyScopeInputRESULTSREAD}})
	if err != nil {
		return err
	}
	keyID = old.JSON201.Data.ID
	// sample: revokeApiKey
	if _, err := person.RevokeAPIKeyWithResponse(ctx, keyID); err != nil {
		return err
	}
	// end sample
	return nil
}

func (t *tour) members(ctx context.Context) error {
	person := t.person
	anybody, err := client.New(t.server)
	if err != nil {
		return err
	}
	email := assay.Email("grace-" + strings.ToLower(rand.Text()) + "@example.com")
	// sample: createMember
	added, err := person.CreateMemberWithResponse(ctx, nil,
		assay.MemberCreate{Name: "Grace Hopper", Email: email, Role: assay.RoleInputMEMBER})
	if err != nil {
		return err
	}
	invitationURL := added.JSON201.Data.InvitationURL // shown this once: send it to the person
	// end sample
	memberID := added.JSON201.Data.ID

	// sample: resendMemberInvitation
	renewed, err := person.ResendMemberInvitationWithResponse(ctx, memberID, nil)
	if err != nil {
		return err
	}
	invitationURL = renewed.JSON200.Data.InvitationURL // the link before it works no more
	// end sample
	token, password := afterHash(invitationURL), "nanoseconds are this long"

	// sample: acceptInvitation
	joined, err := anybody.AcceptInvitationWithResponse(ctx, assay.InvitationAcceptance{Token: token, Password: password})
	if err != nil {
		return err
	}
	fmt.Println(joined.JSON200.Data.User.Name, "has joined and is signed in")
	// end sample

	// sample: listMembers
	members, err := person.ListMembersWithResponse(ctx, nil)
	if err != nil {
		return err
	}
	for _, member := range members.JSON200.Data {
		fmt.Println(member.Name, member.Role, member.Status)
	}
	// end sample

	// sample: retrieveMember
	member, err := person.RetrieveMemberWithResponse(ctx, memberID)
	if err != nil {
		return err
	}
	fmt.Println(member.JSON200.Data.Name, "is", member.JSON200.Data.Status)
	// end sample

	// sample: updateMember
	promoted, err := person.UpdateMemberWithResponse(ctx, memberID, assay.MemberUpdate{Role: assay.RoleInputADMIN})
	if err != nil {
		return err
	}
	fmt.Println(promoted.JSON200.Data.Name, "is", promoted.JSON200.Data.Role)
	// end sample

	// sample: removeMember
	if _, err := person.RemoveMemberWithResponse(ctx, memberID); err != nil {
		return err
	}
	// end sample

	// sample: listAuditLog
	entries, err := person.ListAuditLogWithResponse(ctx,
		&assay.ListAuditLogParams{Action: new(assay.AuditActionInputMEMBERREMOVED)})
	if err != nil {
		return err
	}
	for _, entry := range entries.JSON200.Data {
		fmt.Println(entry.CreatedAt, entry.Action, entry.Resource.ID, "from", entry.IP)
	}
	// end sample
	return nil
}
