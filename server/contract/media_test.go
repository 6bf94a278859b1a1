package contract

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/store"
	"assay/store/storetest"
)

func (a *api) postPicture(path string, who credential, contentType string, content []byte) response {
	a.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "POST", a.url+path, bytes.NewReader(content))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set(who.header, who.value)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return a.send(r)
}

func (a *api) putPicture(who credential, content []byte) response {
	a.t.Helper()
	return a.postPicture("/v1/media", who, "image/png", content)
}

// pathOf returns the path of the picture that the response describes.
func (a *api) pathOf(r response) string {
	a.t.Helper()
	path, found := strings.CutPrefix(r.text("data.url"), a.base)
	if !found {
		a.t.Fatalf("the address is %s", r.text("data.url"))
	}
	return path
}

// pictured is an assessment of one question whose prompt has the given text.
func pictured(prompt string) object {
	return object{"title": "Pictured", "stages": []any{object{"title": "Only", "questions": []any{object{
		"type": "SINGLE_CHOICE", "prompt": prompt, "points": 5, "correctOptionId": "a",
		"options": []any{object{"id": "a", "text": "One"}, object{"id": "b", "text": "Two"}},
	}}}}}
}

// withNoise is a picture that cannot be compressed, with a transparent pixel, so that it stays PNG.
func withNoise(t testing.TB, width, height int) []byte {
	t.Helper()
	made, random := image.NewNRGBA(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range made.Pix {
		made.Pix[i] = byte(random.IntN(256))
	}
	var out bytes.Buffer
	if err := png.Encode(&out, made); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// photoImage is a JPEG with the noise of a camera.
func photoImage(t testing.TB, width, height int) []byte {
	t.Helper()
	made, random := image.NewRGBA(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range made.Pix {
		made.Pix[i] = byte(i/3%200) + byte(random.IntN(40))
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, made, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gifImage(t testing.TB, frames int) []byte {
	t.Helper()
	animation := gif.GIF{}
	for range frames {
		animation.Image = append(animation.Image, image.NewPaletted(image.Rect(0, 0, 9, 7), color.Palette{color.Black}))
		animation.Delay = append(animation.Delay, 1)
	}
	var out bytes.Buffer
	if err := gif.EncodeAll(&out, &animation); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A picture of each kind is stored without metadata, and everybody sees it at its address.
func TestMedia(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		for _, picture := range []struct {
			contentType   string
			content       []byte
			kind          string
			width, height int
		}{
			{"image/png", pngImage(t, 40, 30), "image/png", 40, 30},
			{"image/jpeg", photoImage(t, 2600, 1300), "image/jpeg", 2000, 1000},
			{"image/webp", webpImage(t), "image/png", 1, 1},
			{"image/gif", gifImage(t, 1), "image/png", 9, 7},
			{"image/png", withText(pngImage(t, 7, 5), "secret"), "image/png", 7, 5},
		} {
			created := a.postPicture("/v1/media", o.owner, picture.contentType, picture.content).want(201)
			created.wantFields(object{"data.contentType": picture.kind, "data.width": picture.width,
				"data.height": picture.height, "data.used": 0})
			path := a.pathOf(created)
			shown := a.do("GET", path, anonymous, nil).want(200)
			for name, want := range map[string]string{
				"Content-Type": picture.kind, "Cache-Control": "public, max-age=31536000, immutable",
				"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff",
				"Content-Length": fmt.Sprint(created.number("data.bytes")),
			} {
				if got := shown.header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			decoded, _, err := image.Decode(bytes.NewReader(shown.body))
			if err != nil || decoded.Bounds().Size() != image.Pt(picture.width, picture.height) {
				t.Errorf("%s: %v, error %v", picture.contentType, decoded, err)
			}
			if bytes.Contains(shown.body, []byte("secret")) {
				t.Errorf("the picture has its metadata")
			}
			a.getUnless(shown.header.Get("ETag"), path, o.owner).want(304)
			a.getUnless(`"other"`, path, o.owner).want(200)
			a.do("GET", created.header.Get("Location"), o.owner, nil).want(200).wantFields(object{"data.usedIn": []any{}})
		}
		if listed := a.do("GET", "/v1/media", o.owner, nil).want(200).list("data"); len(listed) != 5 {
			t.Errorf("%d pictures, want 5", len(listed))
		}
		if ids, pages := a.pages("/v1/media?limit=2", o.owner, "id"); len(ids) != 5 || pages != 3 {
			t.Errorf("%d pictures on %d pages", len(ids), pages)
		}
	})
}

// What is no picture of a permitted size is rejected, and changes nothing.
func TestMediaRejected(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		small := pngImage(t, 2, 2)
		const invalid, large = "body  invalid_value", "body  too_large"
		for _, wrong := range []struct {
			name    string
			content []byte
			fault   string
		}{
			{"nothing", nil, "body  required"},
			{"SVG", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), invalid},
			{"half a picture", small[:len(small)/2], invalid},
			{"an animated GIF", gifImage(t, 2), invalid},
			{"a bomb", withSize(small, 16384, 16384), large},
			{"a long bomb", withSize(small, 1<<30, 1), large},
			{"a WebP that is larger than it says", largeWebP(), invalid},
			{"too many scans", withScans(jpegImage(t, 8, 8), 101), large},
		} {
			answer := a.putPicture(o.owner, wrong.content)
			answer.name += " (" + wrong.name + ")"
			answer.blames(wrong.fault)
		}
		const public = "/v1/public/media"
		a.putPicture(o.owner, make([]byte, 5<<20+1)).want(413, "payload_too_large")
		a.postPicture(public, o.key(), "image/png", make([]byte, 5<<20+1)).want(413, "payload_too_large")
		for _, kind := range []string{"", "image/svg+xml", "application/json", "text/html", "image/*"} {
			a.postPicture("/v1/media", o.owner, kind, small).want(415, "unsupported_media_type")
			a.postPicture(public, o.key(), kind, small).want(415, "unsupported_media_type")
		}
		a.putPicture(o.member("MEMBER").who, small).want(403, "insufficient_role")
		a.putPicture(o.member("EDITOR").who, small).want(201)
		if listed := a.do("GET", "/v1/media", o.owner, nil).want(200).list("data"); len(listed) != 1 {
			t.Errorf("%d pictures, want 1", len(listed))
		}
		for _, path := range []string{"/media/", "/media/x", "/media/" + strings.Repeat("0", 32), "/media/..%2f"} {
			a.do("GET", path, anonymous, nil).want(404, "not_found")
		}
	})
}

// The same picture is one resource, also if two replicas receive it at once. Another organization has its own.
func TestTheSameMedia(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o, other := a.register(), a.register()
		content, ids := pngImage(t, 20, 20), make([]string, 8)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				replica := []*api{a, b}[i%2]
				path, who, kind := "/v1/media", o.owner, "image/png"
				if i%4 > 1 {
					path, who = "/v1/public/media", o.key()
				}
				ids[i] = replica.postPicture(path, who, kind, content).want(201).text("data.id")
			})
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("the ids are %q", ids)
			}
		}
		theirs := b.putPicture(other.owner, content).want(201)
		if a.pathOf(theirs) == a.pathOf(a.do("GET", "/v1/media/"+ids[0], o.owner, nil).want(200)) {
			t.Errorf("two organizations have the same address")
		}
		for _, method := range []string{"GET", "DELETE"} {
			a.do(method, "/v1/media/"+ids[0], other.owner, nil).want(404, "not_found")
		}
		a.do("GET", a.pathOf(theirs), anonymous, nil).want(200)
		b.do("DELETE", "/v1/media/"+theirs.text("data.id"), other.owner, nil).want(204)
		a.do("GET", a.pathOf(theirs), anonymous, nil).want(404, "not_found")
		if rows := storetest.CountWhere(t, a.database, "media_contents", "organization_id", other.organizationID); rows > 0 {
			t.Errorf("%d contents stay", rows)
		}
	})
}

// A picture in a text is shown, and cannot be deleted while an assessment has it.
func TestMediaInTexts(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		media := a.putPicture(o.owner, pngImage(t, 30, 20)).want(201)
		id := media.text("data.id")
		prompt := "Which one? ![A *cold* store](media:" + id + ")"
		shown := `<p>Which one? <img src="` + media.text("data.url") +
			`" width="30" height="20" alt="A cold store" loading="lazy"></p>`
		draft := a.do("POST", "/v1/assessments", o.owner, pictured(prompt)).want(201)
		draft.wantFields(object{"data.stages.0.questions.0.promptHtml": shown})
		path := "/v1/assessments/" + draft.text("data.id")
		b.do("GET", path, o.owner, nil).want(200).wantFields(object{"data.stages.0.questions.0.promptHtml": shown})
		b.do("DELETE", "/v1/media/"+id, o.owner, nil).want(409, "media_in_use")
		a.do("GET", "/v1/media/"+id, o.owner, nil).want(200).wantFields(object{
			"data.used": 1, "data.usedIn": []any{draft.text("data.id")},
		})
		a.do("DELETE", path, o.owner, nil).want(204)
		again := a.do("POST", "/v1/assessments", o.owner, pictured("![x](media:"+id+")")).want(201).text("data.id")
		a.do("PATCH", "/v1/assessments/"+again, o.owner, object{"stages": pictured("None")["stages"]}).want(200)
		a.do("GET", "/v1/media/"+id, o.owner, nil).want(200).wantFields(object{"data.used": 0})

		published := o.publish(pictured(prompt))
		a.do("PATCH", "/v1/assessments/"+published, o.owner, object{"description": "![Other](media:" + id + ")"}).want(200)
		b.do("POST", "/v1/assessments/"+published+"/archive", o.owner, nil).want(200)
		a.do("DELETE", "/v1/media/"+id, o.owner, nil).want(409, "media_in_use")

		candidate := o.invite(o.publish(pictured(prompt))).candidate()
		b.do("POST", "/v1/candidate/session/start", candidate, nil).want(200)
		b.do("GET", "/v1/candidate/session/stage", candidate, nil).want(200).
			wantFields(object{"data.questions.0.promptHtml": shown})
		preview := a.do("POST", "/v1/assessments/"+published+"/duplicate", o.owner, nil).want(201).text("data.id")
		tested := a.do("POST", "/v1/assessments/"+preview+"/preview", o.owner, nil).want(201).candidate()
		a.do("POST", "/v1/candidate/session/start", tested, nil).want(200)
		a.do("GET", "/v1/candidate/session/stage", tested, nil).want(200).
			wantFields(object{"data.questions.0.promptHtml": shown})
	})
}

// Publishing refuses a picture without alternative text, and one that the organization does not have.
func TestMediaFaults(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		mine := a.putPicture(o.owner, pngImage(t, 3, 3)).want(201).text("data.id")
		theirs := a.putPicture(other.owner, pngImage(t, 4, 4)).want(201).text("data.id")
		body := pictured("![](media:" + mine + ") and ![There](media:" + theirs + ")")
		body["description"] = "![Never](media:x)"
		body["instructions"] = "`![](media:x)` is code, ![elsewhere](https://example.com/a.png) is its text"
		draft := a.do("POST", "/v1/assessments", o.owner, body).want(201)
		html := draft.text("data.stages.0.questions.0.promptHtml")
		if strings.Count(html, "<img") != 1 || !strings.Contains(html, "and There") {
			t.Errorf("the prompt is %s", html)
		}
		path := "/v1/assessments/" + draft.text("data.id")
		wrong := []string{"body /description unknown_id", "body /stages/0/questions/0/prompt required",
			"body /stages/0/questions/0/prompt unknown_id"}
		for _, verb := range []string{"/publish", "/preview"} {
			got := a.do("POST", path+verb, o.owner, nil).want(422, "assessment_incomplete").faults()
			if !slices.Equal(got, wrong) {
				t.Errorf("%s: %q, want %q", verb, got, wrong)
			}
		}
		if found := a.do("POST", path+"/check", o.owner, nil).want(200); len(found.list("data.faults")) != 3 {
			t.Errorf("the check finds %s", found.body)
		}
		a.do("GET", "/v1/media/"+theirs, other.owner, nil).want(200).wantFields(object{"data.used": 0})
		published := o.publish(pictured("![Mine](media:" + mine + ")"))
		for _, text := range []string{"![](media:" + mine + ")", "![x](media:" + theirs + ")"} {
			a.do("PATCH", "/v1/assessments/"+published, o.owner, object{"closingMessage": text}).
				want(422, "assessment_incomplete")
		}
	})
}

// The quota counts the bytes of the stored pictures, once for each, on all replicas.
func TestMediaQuota(t *testing.T) {
	const limit = 4000
	onQuotas(t, store.Quotas{MediaBytes: limit}, func(_ *testing.T, a, b *api) {
		o := a.register()
		first := a.putPicture(o.owner, pngImage(a.t, 25, 25)).want(201)
		b.putPicture(o.owner, pngImage(a.t, 25, 25)).want(201)
		o.wantUsage("mediaBytes", first.number("data.bytes"), limit)
		a.putPicture(o.owner, withNoise(a.t, 60, 60)).isFull(409, "media_quota_exceeded")
		b.postPicture("/v1/public/media", o.key(), "image/png", withNoise(a.t, 60, 60)).
			isFull(409, "media_quota_exceeded")
		a.do("DELETE", "/v1/media/"+first.text("data.id"), o.owner, nil).want(204)
		o.wantUsage("mediaBytes", 0, limit)
	})
}

// A picture is either used or deleted, never both, whichever replica is asked first.
func TestMediaRaces(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		o := a.register()
		for i := range 6 {
			media := a.putPicture(o.owner, pngImage(t, 10+i, 10)).want(201).text("data.id")
			var created, deleted response
			var both sync.WaitGroup
			both.Go(func() {
				created = a.do("POST", "/v1/assessments", o.owner, pictured("![x](media:"+media+")")).want(201)
			})
			both.Go(func() { deleted = b.do("DELETE", "/v1/media/"+media, o.owner, nil) })
			both.Wait()
			isShown := strings.Contains(a.do("GET", "/v1/assessments/"+created.text("data.id"), o.owner, nil).want(200).
				text("data.stages.0.questions.0.promptHtml"), "<img")
			if isShown != (deleted.status == 409) {
				t.Errorf("shown %v, the deletion gets %d", isShown, deleted.status)
			}
		}
	})
}

// The draft of an import can have pictures that are stored with it. One that exists already is not stored again.
func TestPicturesOfANewAssessment(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		a.clock.Advance(time.Second)
		known := a.putPicture(o.owner, pngImage(t, 6, 6)).want(201).text("data.id")
		in := store.NewAssessment{Title: "Imported"}
		var text strings.Builder
		for _, content := range [][]byte{pngImage(t, 6, 6), pngImage(t, 8, 8)} {
			picture, err := a.store.PreparePicture(t.Context(), content)
			if err != nil {
				t.Fatal(err)
			}
			in.Pictures = append(in.Pictures, picture)
			text.WriteString("![x](media:" + picture.ID + ") ")
		}
		in.Description = new(text.String())
		created, err := a.store.CreateAssessment(t.Context(), store.Scope{OrganizationID: o.organizationID}, in)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(*created.Description, known) || strings.Contains(*created.Description, in.Pictures[0].ID) ||
			strings.Count(a.store.HTML(created, *created.Description), "<img") != 2 {
			t.Errorf("the description is %s", *created.Description)
		}
	})
}
