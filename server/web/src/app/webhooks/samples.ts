// Programs that verify a webhook, for the dialog that shows a new secret.

const node = `import { createHmac, timingSafeEqual } from 'node:crypto'

// body is the raw request body, before anything parses it.
export function isGenuine(secret, headers, body) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = \`\${headers['webhook-id']}.\${headers['webhook-timestamp']}.\${body}\`
  const expected = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
  const isRecent = Math.abs(Date.now() / 1000 - headers['webhook-timestamp']) < 300
  return isRecent && headers['webhook-signature'].split(' ').some((given) => {
    const signature = Buffer.from(given)
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
}`

const python = `import base64, hmac, time

# body is the raw request body as bytes, before anything parses it.
def is_genuine(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    is_recent = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return is_recent and any(
        hmac.compare_digest(expected, given)
        for given in headers["webhook-signature"].split(" "))`

const go = `// body is the raw request body, before anything decodes it.
func isGenuine(secret string, header http.Header, body []byte) bool {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	sent, bad := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || bad != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), sent, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}`

const shell = `# The body of a request is in the file body.json. Compare the output with X-Service-Signature.
printf 'sha256=%s\\n' "$(openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r body.json | cut -d ' ' -f 1)"`

export const samples = { 'Node.js': node, Python: python, Go: go, Shell: shell } as const
export type Sample = keyof typeof samples
