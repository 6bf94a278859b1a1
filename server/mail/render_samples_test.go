package mail

import (
	"maps"
	"slices"
	"strings"
	"time"

	"assay/store"
	"assay/store/markdown"
)

// sample is an email with the content that such an email usually has.
type sample struct {
	name    string
	content store.EmailContent
}

// candidateLanguages and memberLanguages are the languages of the catalogs.
var (
	candidateLanguages = slices.Sorted(maps.Keys(names))
	memberLanguages    = []string{"de", "en"}
)

// names are an organization, a candidate, and a title in a language.
var names = map[string][3]string{
	"ar":      {"مطابخ المرفأ", "ليلى حدّاد", "طاهٍ مساعد: سلامة الغذاء"},
	"de":      {"Hafenküche Nord", "Jürgen Groß", "Beikoch: Lebensmittelsicherheit"},
	"en":      {"Harbor Kitchens", "Mei Lindqvist", "Line cook: food safety"},
	"es":      {"Cocinas del Puerto", "Íñigo Peña", "Ayudante de cocina: seguridad alimentaria"},
	"fr":      {"Cuisines du Port", "Zoé Lefèvre", "Commis de cuisine : sécurité alimentaire"},
	"ja":      {"港キッチン株式会社", "山田 花子", "調理補助：食品安全"},
	"pl":      {"Kuchnie Portowe", "Łucja Żak", "Pomoc kuchenna: bezpieczeństwo żywności"},
	"pt-BR":   {"Cozinhas do Porto", "João Araújo", "Auxiliar de cozinha: segurança alimentar"},
	"zh-Hans": {"港口厨房", "王小明", "厨师助理：食品安全"},
}

// decisionWords are a subject before the name of the organization, and two paragraphs of it.
var decisionWords = map[string][3]string{
	"ar":      {"طلبك لدى ", "شكرًا على وقتك. اخترنا مرشحًا آخر.", "نتمنى لك كل التوفيق."},
	"de":      {"Ihre Bewerbung bei ", "vielen Dank für Ihre Zeit. Wir haben uns anders entschieden.", "Alles Gute"},
	"en":      {"Your application to ", "thank you for your time. We have chosen somebody else.", "All the best"},
	"es":      {"Su candidatura en ", "Gracias por su tiempo. Hemos elegido a otra persona.", "Le deseamos lo mejor"},
	"fr":      {"Votre candidature chez ", "Merci pour votre temps. Notre choix a été différent.", "Bonne continuation"},
	"ja":      {"選考結果：", "お時間をいただきありがとうございました。今回は見送らせていただきます。", "ご活躍をお祈りします。"},
	"pl":      {"Zgłoszenie: ", "Dziękujemy za poświęcony czas. Wybraliśmy inną osobę.", "Powodzenia"},
	"pt-BR":   {"Sua candidatura: ", "Obrigado pelo seu tempo. Escolhemos outra pessoa.", "Tudo de bom"},
	"zh-Hans": {"您的申请：", "感谢您抽出时间。我们选择了其他人选。", "祝您一切顺利"},
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func ptr[T any](v T) *T { return &v }

// The addresses in the samples, as long as real addresses.
const (
	sampleToken = "01m7w6c3808a9d9sr9vwmxdq9q_5f0c4b6f1d0e9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b"
	sampleLink  = "https://assay.example/take#inv_" + sampleToken
	sampleStop  = "https://assay.example/unsubscribe?token=uns_" + sampleToken
	sampleReset = "https://assay.example/reset-password"
	sampleApp   = "https://assay.example/app"
)

// sampleMessage is a paragraph of an assessment.
const sampleMessage = `We look forward to **your answers**. Please have ready:

- a pen and paper
- a calculator

More about us: [our jobs](https://harbor.example/jobs?a=1&b=2)`

// candidateSamples are the emails to candidates in a language.
func candidateSamples(lang string) []sample {
	n := names[lang]
	base := store.EmailContent{
		ID: "eml_01m7w6c3808a9d9sr9vwmxdq9q", ToName: n[1], ToAddress: "mei@candidate.example",
		Organization: store.Organization{
			Name: n[0], AccentColor: ptr("#0b7a5d"), SupportEmail: ptr("jobs@harbor.example"), Locale: ptr("en"),
		},
		Locale: lang, TimeZone: "Europe/Berlin",
	}
	invite, reminder, plain := base, base, base
	invite.Kind = store.EmailInvite
	invite.Invite = &store.InviteContent{
		AssessmentTitle: n[2], InviteURL: sampleLink,
		ExpiresAt: at("2026-12-05T13:00:00Z"), OpensAt: ptr(at("2026-12-01T08:00:00Z")),
		TimeLimit: ptr(45 * time.Minute), StageCount: 2, QuestionCount: 14,
		MessageHTML: markdown.New().HTML(sampleMessage), MessageText: markdown.New().Text(sampleMessage),
	}
	reminder.Kind = store.EmailReminder
	reminder.UnsubscribeURL = sampleStop
	reminder.Invite = &store.InviteContent{
		AssessmentTitle: n[2], InviteURL: sampleLink, ExpiresAt: at("2026-12-05T13:00:00Z"), Unlimited: true,
		StageCount: 1, QuestionCount: 3,
	}
	// An organization that has set nothing, and an assessment with stages that have time limits.
	plain.Kind = store.EmailInvite
	plain.Organization = store.Organization{Name: n[0]}
	plain.TimeZone = ""
	plain.Invite = &store.InviteContent{
		AssessmentTitle: n[2], InviteURL: sampleLink, ExpiresAt: at("2027-01-01T00:00:00Z"),
		StageCount: 3, QuestionCount: 22,
	}
	reopened, corrected := base, base
	reopened.Kind = store.EmailReopened
	reopened.Decision = &store.DecisionContent{
		AssessmentTitle: n[2], InviteURL: sampleLink, DeadlineAt: ptr(at("2026-12-05T13:00:00Z")),
	}
	passed := reopened // of a session without a limit
	passed.Kind = store.EmailGatePassed
	passed.Decision = &store.DecisionContent{AssessmentTitle: n[2], InviteURL: sampleLink}
	corrected.Kind = store.EmailResultCorrected
	corrected.Decision = &store.DecisionContent{AssessmentTitle: n[2], At: at("2026-12-05T13:00:00Z")}
	decision := base
	decision.Kind = store.EmailDecision
	decision.Written = &store.WrittenContent{
		AssessmentTitle: n[2], Subject: decisionWords[lang][0] + n[0],
		Text: decisionWords[lang][1] + "\n\n" + decisionWords[lang][2] + "\n" + n[0],
	}
	registration, attempted := base, base
	registration.Kind, attempted.Kind = store.EmailRegistration, store.EmailRegistration
	registration.Registration = &store.RegistrationContent{
		AssessmentTitle: n[2], ExpiresAt: at("2026-12-05T13:00:00Z"),
		Link: "https://assay.example/registration/confirm?token=cnf_" + sampleToken,
	}
	attempted.Registration = &store.RegistrationContent{
		AssessmentTitle: n[2], ExpiresAt: at("2026-12-05T13:00:00Z"), PossibleAt: ptr(at("2027-05-05T13:00:00Z")),
	}
	own := invite
	own.Own = []store.EmailText{{
		Kind: store.EmailInvite, Locale: lang, Subject: decisionWords[lang][0] + n[0],
		Text: "{{candidateName}},\n" + decisionWords[lang][1] +
			"\n\n{{ assessmentTitle }} ({{lastDay}})\n{{organizationName}}",
	}}
	return []sample{
		{"invite-own", own}, {"invite", invite}, {"reminder", reminder}, {"invite-plain", plain},
		{"reopened", reopened}, {"passed", passed}, {"corrected", corrected},
		{"decision", decision},
		{"registration", registration}, {"attempted", attempted},
	}
}

// memberSamples are the emails to members in a language.
func memberSamples(lang string) []sample {
	base := store.EmailContent{
		ID: "eml_01m7w6c3808a9d9sr9vwmxdq9q", ToName: "Ada Park", ToAddress: "ada@harbor.example",
		Organization: store.Organization{Name: names[lang][0], AccentColor: ptr("#b3261e"), Locale: &lang},
		Locale:       lang, TimeZone: "Europe/Berlin",
	}
	var all []sample
	add := func(name string, kind store.EmailKind, set func(*store.EmailContent)) {
		c := base
		c.Kind = kind
		set(&c)
		all = append(all, sample{name, c})
	}
	account := func(a store.AccountContent) func(*store.EmailContent) {
		a.At = at("2026-11-20T10:00:00Z")
		return func(c *store.EmailContent) { c.Account = &a }
	}

	const cook, auditor = "Line cook: food safety", "Night auditor"
	session := func(name, title string, finishedAt string) store.FinishedSession {
		return store.FinishedSession{
			CandidateName: name, AssessmentTitle: title, FinishedAt: at(finishedAt),
			URL: sampleApp + "/candidates/ses_01m7w6c3808a9d9sr9vwmxdq9q",
		}
	}
	finished := []store.FinishedSession{
		session("Mei Lindqvist", cook, "2026-11-20T10:00:00Z"), session("Łucja Żak", cook, "2026-11-20T09:41:00Z"),
		session("ليلى حدّاد", auditor, "2026-11-20T09:30:00Z"), session("Jürgen Groß", auditor, "2026-11-20T09:12:00Z"),
		session("山田 花子", auditor, "2026-11-20T09:02:00Z"),
	}
	finished[0].Score, finished[0].Passed = ptr(87.5), ptr(true)
	finished[1].Score, finished[1].Passed = ptr(42.0), ptr(false)
	finished[2].Score = ptr(99.96)
	finished[3].Disqualified = true
	add("finished", store.EmailFinished, func(c *store.EmailContent) {
		c.Finished = &store.FinishedContent{Sessions: finished, More: 12, AllURL: sampleApp + "/candidates"}
		c.UnsubscribeURL = sampleStop
	})
	add("finished-one", store.EmailFinished, func(c *store.EmailContent) {
		c.Finished, c.UnsubscribeURL = &store.FinishedContent{Sessions: finished[:1]}, sampleStop
	})
	add("waiting", store.EmailWaiting, func(c *store.EmailContent) {
		c.Waiting = &store.WaitingContent{AllURL: sampleApp + "/candidates", Assessments: []store.WaitingAssessment{
			{Title: cook, Overdue: 3, OldestSince: at("2026-11-16T10:00:00Z")},
			{Title: auditor, Overdue: 1, OldestSince: at("2026-11-17T08:30:00Z")},
		}}
	})
	add("invitation", store.EmailInvitation, account(store.AccountContent{
		Link: "https://assay.example/accept-invitation#mbr_5f0c4b6f1d0e9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b",
		Role: store.Admin, ByName: "Noor Haddad", ExpiresAt: at("2026-11-27T10:00:00Z"),
	}))
	add("email-confirmation", store.EmailConfirmation, account(store.AccountContent{
		Link: "https://assay.example/confirm-email#prf_usr_" + sampleToken, ExpiresAt: at("2026-11-27T10:00:00Z"),
	}))
	add("password-reset", store.EmailPasswordReset, account(store.AccountContent{
		Link: sampleReset + "#pwr_" + sampleToken, ExpiresAt: at("2026-11-20T11:00:00Z"),
	}))
	add("password-changed", store.EmailPasswordChanged, account(store.AccountContent{
		IP: "192.0.2.17", ResetURL: sampleReset,
	}))
	add("second-factor-added", store.EmailSecondFactorAdded, account(store.AccountContent{
		IP: "192.0.2.17", ResetURL: sampleReset,
	}))
	add("second-factor-removed", store.EmailSecondFactorRemoved, account(store.AccountContent{
		ResetURL: sampleReset, // the operator removed it
	}))
	add("recovery-code-used", store.EmailRecoveryCodeUsed, account(store.AccountContent{
		IP: "192.0.2.17", ResetURL: sampleReset,
	}))
	add("company-code-used", store.EmailSignInRecoveryCodeUsed, account(store.AccountContent{
		ByName: "Noor Haddad", IP: "192.0.2.17", ResetURL: sampleReset,
	}))
	add("refresh-token-reused", store.EmailRefreshTokenReused, account(store.AccountContent{
		IP: "2001:db8::17", ResetURL: sampleReset,
	}))
	add("role-changed", store.EmailRoleChanged, account(store.AccountContent{
		Role: store.Admin, PreviousRole: store.Member, ByName: "Noor Haddad",
	}))
	add("deletion-scheduled", store.EmailDeletionScheduled, account(store.AccountContent{
		ByName: "Noor Haddad", DeleteAt: at("2026-12-20T10:00:00Z"), Link: sampleApp + "/settings",
	}))
	add("webhook-disabled", store.EmailWebhookDisabled, func(c *store.EmailContent) {
		c.Webhook = &store.WebhookContent{
			URL: sampleApp + "/webhooks/whk_01m6gawt5s25wsy9e6ktqqm37n", Host: "ats.example", Reason: "FAILING",
			At: at("2026-11-20T10:00:00Z"),
		}
	})
	return all
}

// hostileSample is an invite whose texts are hard to lay out on a phone.
func hostileSample() sample {
	long := strings.Repeat("Donaudampfschifffahrtselektrizität", 4)
	message := []string{
		"Read `" + strings.Repeat("const total = orders.filter(paid)", 4) + "`.",
		"```\n" + strings.Repeat("const total = orders.filter(paid)", 4) + "\n```",
		"See <https://example.com/" + strings.Repeat("path", 30) + "> and **" + long + "**.",
		"| " + strings.Repeat("September | ", 6) + "\n|" + strings.Repeat("---|", 6) + "\n| " + strings.Repeat("42 | ", 6),
		strings.Repeat("> ", 12) + "quoted words",
	}
	list := ""
	for depth := range 14 {
		list += strings.Repeat("  ", depth) + "- level of the list\n"
	}
	all := strings.Join(append(message, list), "\n\n")
	s := candidateSamples("en")[0]
	s.name = "invite-hostile"
	s.content.Organization.Name, s.content.ToName = long, long
	s.content.Invite.AssessmentTitle = long
	s.content.Invite.MessageHTML, s.content.Invite.MessageText = markdown.New().HTML(all), markdown.New().Text(all)
	return s
}
