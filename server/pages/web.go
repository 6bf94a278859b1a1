package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/server/request"
	"assay/server/web"
)

// takePath is the address of the candidate page. Invite links point to it.
const takePath = "/take"

// accountPaths are the addresses of the page on which a person sets a password. The
// links in emails to members point to them.
var accountPaths = []string{"/accept-invitation", "/reset-password", "/confirm-email"}

// browserFeatures are the features that a Permissions-Policy can turn off, as
// Chromium lists them in document.featurePolicy.features(), without client hints.
// The candidate page uses none. The other pages use clipboard-write and passkeys.
var browserFeatures = strings.Fields(`
	accelerometer aria-notify autoplay browsing-topics camera captured-surface-control clipboard-read clipboard-write
	compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal digital-credentials-create
	digital-credentials-get display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid
	identity-credentials-get idle-detection interest-cohort keyboard-map language-detector language-model local-fonts
	local-network local-network-access loopback-network magnetometer media-playback-while-not-visible microphone midi
	on-device-speech-recognition otp-credentials payment picture-in-picture private-state-token-issuance
	private-state-token-redemption publickey-credentials-create publickey-credentials-get screen-wake-lock serial
	speaker-selection storage-access summarizer sync-xhr translator unload usb window-management xr-spatial-tracking`)

// permissionsPolicy turns all features off, except for the given ones.
func permissionsPolicy(used ...string) string {
	off := slices.DeleteFunc(slices.Clone(browserFeatures), func(name string) bool { return slices.Contains(used, name) })
	return strings.Join(off, "=(), ") + "=()"
}

// registerWeb adds the pages that are made of browser code. Only their HTML counts for
// the rate limit of public pages. Their files do not: browsers keep them, and sixty
// candidates in one room load them in the same minute.
func (s *site) registerWeb() error {
	take, err := web.Take()
	if err != nil {
		return err
	}
	account, err := web.Account()
	if err != nil {
		return err
	}
	app, err := web.App()
	if err != nil {
		return err
	}
	s.registerApp(app)
	s.path.Page(takePath, s.takeShell(take))
	for _, path := range accountPaths {
		s.path.Page(path, accountShell(account))
	}
	for _, page := range []*web.Page{take, account, app} {
		for _, file := range page.Files {
			path := "/" + page.Folder + "/" + file.Name
			s.path.Add(serveWebFile(file), path, http.MethodGet, http.MethodHead)
		}
	}
	return nil
}

func (s *site) takeShell(page *web.Page) echo.HandlerFunc {
	permissions := permissionsPolicy()
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set(echo.HeaderContentSecurityPolicy, s.takePolicy(page, c.Request().Host))
		header.Set("Permissions-Policy", permissions)
		if len(s.opts.FrameAncestors) > 0 {
			header.Del(echo.HeaderXFrameOptions) // it cannot name origins; frame-ancestors replaces it
		}
		return shell(c, page)
	}
}

// accountShell serves the page for passwords. No other page can frame it, whatever
// ASSAY_FRAME_ANCESTORS says.
func accountShell(page *web.Page) echo.HandlerFunc {
	policy := webPolicy(page, "'self'", "'none'", "'none'")
	permissions := permissionsPolicy("clipboard-write", "publickey-credentials-get")
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Set(echo.HeaderContentSecurityPolicy, policy)
		header.Set("Permissions-Policy", permissions)
		return shell(c, page)
	}
}

func shell(c echo.Context, page *web.Page) error {
	header := c.Response().Header()
	header.Set("Cache-Control", "no-cache")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("X-Robots-Tag", "noindex")
	if request.OffersGzip(c) {
		return whole(c, echo.MIMETextHTMLCharsetUTF8, page.ShellGzip())
	}
	return whole(c, echo.MIMETextHTMLCharsetUTF8, page.Shell)
}

// takePolicy lets the candidate page load from this server only.
func (s *site) takePolicy(page *web.Page, host string) string {
	ancestors := "'none'"
	if len(s.opts.FrameAncestors) > 0 {
		ancestors = strings.Join(s.opts.FrameAncestors, " ")
	}
	return webPolicy(page, s.imageSources(host), ancestors, "assay")
}

// imageSources are the sources of logos. A logo's address begins with the base URL. A page
// that was opened at another address, for example at localhost, must be able to show it too.
func (s *site) imageSources(host string) string {
	images := "'self'"
	if base, err := url.Parse(s.opts.BaseURL); err == nil && base.Host != "" && !strings.EqualFold(base.Host, host) {
		images += " " + base.Scheme + "://" + base.Host
	}
	return images
}

// webPolicy is a Content-Security-Policy that lets a page load from this server only.
// The arguments are the sources of images, who can frame the page, and the Trusted
// Types policy that can make HTML.
func webPolicy(page *web.Page, images, ancestors, html string) string {
	return "default-src 'none'; script-src 'self'; style-src " + page.StyleSource + "; " +
		"img-src " + images + "; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors " + ancestors + "; require-trusted-types-for 'script'; trusted-types " + html
}

func serveWebFile(file web.File) echo.HandlerFunc {
	cacheControl := "no-cache"
	if file.Hashed {
		cacheControl = "public, max-age=31536000, immutable"
	}
	return func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", cacheControl)
		if request.OffersGzip(c) {
			return whole(c, file.Kind, file.Gzip())
		}
		return whole(c, file.Kind, file.Content)
	}
}
