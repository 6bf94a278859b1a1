package rig

import (
	"net/smtp"
	"strings"
	"testing"
)

// A message that a client sends must arrive with its envelope, id, and text.
func TestListenMail(t *testing.T) {
	got := make(chan Mail, 1)
	addr, stop, err := ListenMail(t.Context(), func(m Mail) { got <- m })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	for name, test := range map[string]struct{ content, id, text string }{
		"plain": {"Content-Type: text/plain; charset=utf-8\n\na link\n", "eml_1", "a link\r\n"},
		"quoted-printable": {
			"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\na =\nlink=23x\n", "eml_1", "a link#x\r\n",
		},
		"multipart": {
			"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n" +
				"Content-Transfer-Encoding: quoted-printable\n\na li=\nnk=3D\n--b\nContent-Type: text/html\n\n<p>\n--b--\n",
			"eml_1", "a link=",
		},
		"HTML only": {"Content-Type: text/html\n\n<p>a link\n", "", ""},
	} {
		message := strings.ReplaceAll("Message-ID: <eml_1@lab.example>\n"+test.content, "\n", "\r\n")
		if err := smtp.SendMail(addr, nil, "a@lab.example", []string{"b@lab.example"}, []byte(message)); err != nil {
			t.Fatal(name, err)
		}
		m := <-got
		id, text, err := m.Parse()
		if m.To != "b@lab.example" || text != test.text || (err == nil) != (test.id != "") || err == nil && id != test.id {
			t.Errorf("%s: to %q, id %q, text %q, %v", name, m.To, id, text, err)
		}
	}
}
