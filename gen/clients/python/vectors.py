"""Checks the verification with cases whose outcome is known."""

import json
import sys
from pathlib import Path

from verify import verify_service_signature, verify_standard_webhook

cases = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
wrong = 0
for case in cases:
    secret, headers, body = case["secret"], case["headers"], case["body"].encode()
    service = verify_service_signature(secret, body, headers.get("X-Service-Signature"))
    # Proxies may change the case of header names.
    standard = verify_standard_webhook(secret, {name.title(): headers[name] for name in headers}, body, case["now"])
    if (service, standard) != (case["serviceSignatureValid"], case["standardWebhooksValid"]):
        print(f"{case['name']}: X-Service-Signature {service}, Standard Webhooks {standard}", file=sys.stderr)
        wrong += 1
if not cases:
    sys.exit("there are no cases")
print(len(cases), "cases")
sys.exit(1 if wrong else 0)
