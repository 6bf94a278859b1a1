package server

import (
	"context"

	"assay/gen"
	"assay/store"
)

// Register implements POST /v1/auth/register.
func (s *Server) Register(
	ctx context.Context, request gen.RegisterRequestObject,
) (gen.RegisterResponseObject, error) {
	signedIn, err := s.store.Register(ctx, scopeOf(ctx), storeRegistration(request.Body, requestOf(ctx).local))
	if err != nil {
		return nil, err
	}
	return gen.Register201JSONResponse{
		Headers: gen.Register201ResponseHeaders{Location: "/v1/me"},
		Body: gen.RegistrationData{Data: gen.Registration{
			AccessToken: s.accessToken(signedIn.Login), RefreshToken: s.refreshToken(signedIn.Login),
			User: apiUser(signedIn.User), Organization: s.apiOrganization(signedIn.Organization),
		}},
	}, nil
}

func storeRegistration(body *gen.RegisterRequest, local bool) store.Registration {
	return store.Registration{
		OrganizationName: body.OrganizationName, Name: body.Name, Email: body.Email, Password: body.Password,
		SetupToken: orZero(body.SetupToken), Local: local,
	}
}

// Login implements POST /v1/auth/login.
func (s *Server) Login(ctx context.Context, request gen.LoginRequestObject) (gen.LoginResponseObject, error) {
	signedIn, err := s.store.Login(ctx, scopeOf(ctx), request.Body.Email, request.Body.Password)
	if err != nil {
		return nil, err
	}
	return gen.Login200JSONResponse{Body: s.loginData(signedIn)}, nil
}

// AcceptInvitation implements POST /v1/auth/accept-invitation.
func (s *Server) AcceptInvitation(
	ctx context.Context, request gen.AcceptInvitationRequestObject,
) (gen.AcceptInvitationResponseObject, error) {
	signedIn, err := s.store.AcceptInvitation(ctx, scopeOf(ctx), request.Body.Token, request.Body.Password)
	if err != nil {
		return nil, err
	}
	return gen.AcceptInvitation200JSONResponse{Body: s.loginData(signedIn)}, nil
}

func (s *Server) loginData(signedIn store.SignedIn) gen.LoginData {
	return gen.LoginData{Data: gen.Login{
		AccessToken: s.accessToken(signedIn.Login), RefreshToken: s.refreshToken(signedIn.Login),
		User: apiUser(signedIn.User),
	}}
}

// Refresh implements POST /v1/auth/refresh.
func (s *Server) Refresh(ctx context.Context, request gen.RefreshRequestObject) (gen.RefreshResponseObject, error) {
	claims, err := s.tokens.parse(refreshKind, request.Body.RefreshToken)
	if err != nil {
		return nil, credentialFault(err)
	}
	login, err := s.store.Refresh(ctx, loginScope(ctx, claims), store.TokenUse{Generation: claims.Generation})
	if err != nil {
		return nil, err
	}
	return gen.Refresh200JSONResponse{Body: gen.TokenPairData{Data: gen.TokenPair{
		AccessToken: s.accessToken(login), RefreshToken: s.refreshToken(login),
	}}}, nil
}

// Logout implements POST /v1/auth/logout.
func (s *Server) Logout(ctx context.Context, request gen.LogoutRequestObject) (gen.LogoutResponseObject, error) {
	claims, err := s.tokens.parse(refreshKind, request.Body.RefreshToken)
	if err != nil {
		return nil, credentialFault(err)
	}
	if err := s.store.Logout(ctx, loginScope(ctx, claims)); err != nil {
		return nil, err
	}
	return gen.Logout204Response{}, nil
}

// RetrieveMe implements GET /v1/me.
func (s *Server) RetrieveMe(
	ctx context.Context, _ gen.RetrieveMeRequestObject,
) (gen.RetrieveMeResponseObject, error) {
	me, err := s.store.RetrieveMe(ctx, scopeOf(ctx))
	if err != nil {
		return nil, err
	}
	return gen.RetrieveMe200JSONResponse{Body: gen.MeData{Data: s.apiMe(ctx, me)}}, nil
}

// UpdateMe implements PATCH /v1/me.
func (s *Server) UpdateMe(
	ctx context.Context, request gen.UpdateMeRequestObject,
) (gen.UpdateMeResponseObject, error) {
	me, err := s.store.UpdateMe(ctx, scopeOf(ctx), request.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.UpdateMe200JSONResponse{Body: gen.MeData{Data: s.apiMe(ctx, me)}}, nil
}

// ChangePassword implements POST /v1/me/password.
func (s *Server) ChangePassword(
	ctx context.Context, request gen.ChangePasswordRequestObject,
) (gen.ChangePasswordResponseObject, error) {
	current, changed := request.Body.CurrentPassword, request.Body.NewPassword
	if err := s.store.ChangePassword(ctx, scopeOf(ctx), current, changed); err != nil {
		return nil, err
	}
	return gen.ChangePassword204Response{}, nil
}

// accessToken and refreshToken depend on the login alone, so a repeated refresh
// gets the same bytes as the first one. The generation makes the tokens of each
// refresh new, also within the same second.
func (s *Server) accessToken(login store.Login) string {
	return s.tokens.mint(accessKind, loginClaims(login))
}

func (s *Server) refreshToken(login store.Login) string {
	return s.tokens.mint(refreshKind, loginClaims(login))
}

func loginClaims(login store.Login) tokenClaims {
	return tokenClaims{
		Subject: login.UserID, OrganizationID: login.OrganizationID, SessionID: login.ID, Generation: login.Generation,
		IssuedAt: login.RotatedAt.Unix(), ExpiresAt: login.ExpiresAt.Unix(),
	}
}

func loginScope(ctx context.Context, claims tokenClaims) store.Scope {
	return store.Scope{
		OrganizationID: claims.OrganizationID, UserID: claims.Subject, LoginID: claims.SessionID, Origin: scopeOf(ctx).Origin,
	}
}

func apiUser(user store.User) gen.User {
	return gen.User{ID: user.ID, Name: user.Name, Email: user.Email}
}

func (s *Server) apiMe(ctx context.Context, me store.Me) gen.Me {
	return gen.Me{
		ID: me.User.ID, Name: me.User.Name, Email: me.User.Email, Role: gen.Role(me.User.Role),
		Organization: s.apiOrganization(me.Organization), AssessmentIds: seenAssessments(scopeOf(ctx).LimitedTo),
		MustConfirmEmail: me.User.Unproved && s.store.SendsEmail(),
	}
}
