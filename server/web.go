package server

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/server/web"
)

// takePath is the address of the candidate page. Invite links point to it.
const takePath = "/take"

// browserFeatures are the features that a Permissions-Policy can turn off, as
// Chromium lists them in document.featurePolicy.features(), without client hints.
// The candidate page uses none.
var browserFeatures = strings.Fields(`
	accelerometer aria-notify autoplay browsing-topics camera captured-surface-control clipboard-read clipboard-write
	compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal digital-credentials-create
	digital-credentials-get display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid
	identity-credentials-get idle-detection interest-cohort keyboard-map language-detector language-model local-fonts
	local-network local-network-access loopback-network magnetometer media-playback-while-not-visible microphone midi
	on-device-speech-recognition otp-credentials payment picture-in-picture private-state-token-issuance
	private-state-token-redemption publickey-credentials-create publickey-credentials-get screen-wake-lock serial
	speaker-selection storage-access summarizer sync-xhr translator unload usb window-management xr-spatial-tracking`)

// permissionsPolicy turns all features off.
var permissionsPolicy = strings.Join(browserFeatures, "=(), ") + "=()"

// registerWeb adds the candidate page. Only the page counts for the rate limit of
// public pages. Its files do not: browsers keep them, and sixty candidates in one
// room load them in the same minute.
func (s *Server) registerWeb() error {
	s.page(takePath, s.takeShell)
	files, err := web.TakeFiles()
	if err != nil {
		return err
	}
	for _, file := range files {
		s.echo.Match([]string{http.MethodGet, http.MethodHead}, takePath+"/"+file.Name, serveWebFile(file))
	}
	return nil
}

func (s *Server) takeShell(c echo.Context) error {
	header := c.Response().Header()
	header.Set("Cache-Control", "no-cache")
	header.Set(echo.HeaderContentSecurityPolicy, s.takePolicy(c.Request().Host))
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Permissions-Policy", permissionsPolicy)
	header.Set("X-Robots-Tag", "noindex")
	if len(s.opts.FrameAncestors) > 0 {
		header.Del(echo.HeaderXFrameOptions) // it cannot name origins; frame-ancestors replaces it
	}
	if offersGzip(c) {
		return whole(c, echo.MIMETextHTMLCharsetUTF8, web.TakeShellGzip())
	}
	return whole(c, echo.MIMETextHTMLCharsetUTF8, web.TakeShell)
}

// takePolicy lets the candidate page load from this server only.
func (s *Server) takePolicy(host string) string {
	images := "'self'"
	// A logo's address begins with the base URL. A page that was opened at another
	// address, for example at localhost, must be able to show it too.
	if base, err := url.Parse(s.opts.BaseURL); err == nil && base.Host != "" && !strings.EqualFold(base.Host, host) {
		images += " " + base.Scheme + "://" + base.Host
	}
	ancestors := "'none'"
	if len(s.opts.FrameAncestors) > 0 {
		ancestors = strings.Join(s.opts.FrameAncestors, " ")
	}
	return "default-src 'none'; script-src 'self'; style-src " + web.TakeStyleSource() + "; " +
		"img-src " + images + "; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors " + ancestors + "; require-trusted-types-for 'script'; trusted-types assay"
}

func serveWebFile(file web.File) echo.HandlerFunc {
	cacheControl := "no-cache"
	if file.Hashed {
		cacheControl = "public, max-age=31536000, immutable"
	}
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", cacheControl)
		if offersGzip(c) {
			return whole(c, file.Kind, file.Gzip())
		}
		return whole(c, file.Kind, file.Content)
	}
}
