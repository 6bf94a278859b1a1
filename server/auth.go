package server

import (
	"context"

	"assay/gen"
	"assay/server/pages"
	"assay/store"
)

// Register implements POST /v1/auth/register.
func (s *Server) Register(
	ctx context.Context, request gen.RegisterRequestObject,
) (gen.RegisterResponseObject, error) {
	signedIn, err := s.store.Register(ctx, scopeOf(ctx), pages.Registration(ctx, request.Body))
	if err != nil {
		return nil, err
	}
	return gen.Register201JSONResponse{
		Headers: gen.Register201ResponseHeaders{Location: "/v1/me"},
		Body: gen.RegistrationData{Data: gen.Registration{
			AccessToken: s.path.AccessToken(signedIn.Login), RefreshToken: s.path.RefreshToken(signedIn.Login),
			User: apiUser(signedIn.User), Organization: s.apiOrganization(signedIn.Organization),
		}},
	}, nil
}

// Login implements POST /v1/auth/login.
func (s *Server) Login(ctx context.Context, request gen.LoginRequestObject) (gen.LoginResponseObject, error) {
	signedIn, err := s.store.Login(ctx, scopeOf(ctx), pages.Credentials(request.Body))
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
		AccessToken: s.path.AccessToken(signedIn.Login), RefreshToken: s.path.RefreshToken(signedIn.Login),
		User: apiUser(signedIn.User),
	}}
}

// Refresh implements POST /v1/auth/refresh.
func (s *Server) Refresh(ctx context.Context, request gen.RefreshRequestObject) (gen.RefreshResponseObject, error) {
	scope, generation, err := s.path.LoginOf(ctx, request.Body.RefreshToken)
	if err != nil {
		return nil, err
	}
	login, err := s.store.Refresh(ctx, scope, store.TokenUse{Generation: generation})
	if err != nil {
		return nil, err
	}
	return gen.Refresh200JSONResponse{Body: gen.TokenPairData{Data: gen.TokenPair{
		AccessToken: s.path.AccessToken(login), RefreshToken: s.path.RefreshToken(login),
	}}}, nil
}

// Logout implements POST /v1/auth/logout.
func (s *Server) Logout(ctx context.Context, request gen.LogoutRequestObject) (gen.LogoutResponseObject, error) {
	scope, _, err := s.path.LoginOf(ctx, request.Body.RefreshToken)
	if err != nil {
		return nil, err
	}
	if err := s.store.Logout(ctx, scope); err != nil {
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

func apiUser(user store.User) gen.User {
	return gen.User{ID: user.ID, Name: user.Name, Email: user.Email}
}

func (s *Server) apiMe(ctx context.Context, me store.Me) gen.Me {
	return gen.Me{
		ID: me.User.ID, Name: me.User.Name, Email: me.User.Email, Role: gen.Role(me.User.Role),
		Organization: s.apiOrganization(me.Organization), AssessmentIds: seenAssessments(scopeOf(ctx).LimitedTo),
		MustConfirmEmail: me.User.Unproved && s.store.SendsEmail(),
		HasSecondFactor:  me.User.HasFactor, MustAddSecondFactor: me.MustAddFactor,
		HasSeveralOrganizations: me.HasSeveralOrganizations, SignInMethod: gen.SignInMethod(scopeOf(ctx).Method),
	}
}
