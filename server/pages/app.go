package pages

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"assay/server/web"
	"assay/store"
)

const (
	// appPath is the address of the dashboard. Its screens have addresses below it.
	appPath = "/app"
	// appScreens is the route of the screens. exactRoute lets it match any number of segments.
	appScreens = appPath + "/*"
	// maxAppDepth is the number of segments that the address of a screen may have after appPath.
	maxAppDepth = 6
)

// registerApp adds the dashboard: its page, which is the same for each screen, and the
// redirects to it.
func (s *site) registerApp(page *web.Page) {
	show := s.appShell(page)
	s.path.Page(appPath, show)
	s.path.Page(appScreens, show)
	s.path.Page("/", func(c echo.Context) error { return c.Redirect(http.StatusFound, appPath[1:]) })
}

// appShell serves the page of the dashboard for each screen. No other page can frame it,
// whatever ASSAY_FRAME_ANCESTORS says. On the first visit of all it shows the registration.
func (s *site) appShell(page *web.Page) echo.HandlerFunc {
	shells := make([]*web.Page, maxAppDepth+1)
	for depth := range shells {
		shells[depth] = deeper(page, depth)
	}
	permissions := permissionsPolicy("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")
	return func(c echo.Context) error {
		screen := strings.TrimPrefix(strings.TrimPrefix(echo.GetPath(c.Request()), appPath), "/")
		depth := strings.Count(screen, "/")
		if depth >= maxAppDepth || isFile(screen) {
			return echo.ErrNotFound
		}
		if screen == "" || screen == "sign-in" {
			state, err := s.store.UnscopedRegistration(c.Request().Context())
			if err != nil {
				return err
			}
			if state.FirstRun && state.Mode != store.RegistrationClosed {
				return c.Redirect(http.StatusFound, appRelative(c, "register"))
			}
		}

		header := c.Response().Header()
		// blob: shows a logo that the person has chosen and not yet sent.
		policy := webPolicy(page, s.imageSources(c.Request().Host)+" blob:", "'none'", "assay")
		header.Set(echo.HeaderContentSecurityPolicy, policy)
		header.Set("Permissions-Policy", permissions)
		if echo.GetPath(c.Request()) != appPath {
			depth++
		}
		return shell(c, shells[depth])
	}
}

// appRelative returns the address of a screen, relative to a request for appPath or one
// segment below it. It has no path of a proxy, which the server does not know.
func appRelative(c echo.Context, screen string) string {
	if echo.GetPath(c.Request()) == appPath {
		return appPath[1:] + "/" + screen
	}
	return screen
}

// isFile reports whether an address is that of a file, which no address of a screen is like.
// The page is never the response for a file that does not exist.
func isFile(address string) bool {
	if decoded, err := url.PathUnescape(address); err == nil {
		address = decoded
	}
	return strings.Contains(address, ".")
}

// deeper returns the page for an address that is some segments below appPath. The HTML
// refers to its files relatively, because it works below any path of a proxy. <base> is no
// alternative: the policy forbids it, and it would need that path.
func deeper(page *web.Page, segments int) *web.Page {
	up := strings.Repeat("../", segments)
	html := bytes.ReplaceAll(page.Shell, []byte(`="app/`), []byte(`="`+up+`app/`))
	return &web.Page{
		Folder: page.Folder, Shell: html, StyleSource: page.StyleSource, Files: page.Files,
		ShellGzip: sync.OnceValue(func() []byte { return web.Compressed(html) }),
	}
}
