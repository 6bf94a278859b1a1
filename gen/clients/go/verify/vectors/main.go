// Command vectors checks package verify with the cases of a file.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"assay.example/integration/verify"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: vectors FILE")
	}
	file, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var cases []struct {
		Name, Secret, Body    string
		Now                   int64
		Headers               map[string]string
		ServiceSignatureValid bool
		StandardWebhooksValid bool
	}
	if err := json.Unmarshal(file, &cases); err != nil {
		log.Fatal(err)
	}
	failed := len(cases) == 0
	for _, c := range cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		got := verify.ServiceSignature(c.Secret, []byte(c.Body), header.Get("X-Service-Signature"))
		if got != c.ServiceSignatureValid {
			log.Printf("%s: X-Service-Signature is found to be genuine: %t", c.Name, got)
			failed = true
		}
		got = verify.StandardWebhook(c.Secret, header, []byte(c.Body), time.Unix(c.Now, 0))
		if got != c.StandardWebhooksValid {
			log.Printf("%s: the Standard Webhooks headers are found to be genuine: %t", c.Name, got)
			failed = true
		}
	}
	if failed {
		log.Fatal("the verification disagrees with the vectors")
	}
	fmt.Println(len(cases), "cases")
}
