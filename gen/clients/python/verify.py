"""Verifies the signatures of webhooks. It needs only the standard library and may be copied."""

# sample: verify
import base64
import hmac
import time
from collections.abc import Mapping


def verify_service_signature(secret: str, body: bytes, header: str | None) -> bool:
    """Verifies X-Service-Signature. The body is the raw one: read it before anything parses it."""
    digest = hmac.digest(secret.encode(), body, "sha256")
    return _equal(f"sha256={digest.hex()}", header or "")


def verify_standard_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None
) -> bool:
    """Verifies the headers of Standard Webhooks, which also protect against replays: what was sent
    more than five minutes before or after now, in seconds, is refused."""
    sent = {name.lower(): value for name, value in headers.items()}
    timestamp = sent.get("webhook-timestamp", "")
    key = secret.encode()
    try:
        if abs((time.time() if now is None else now) - int(timestamp)) > 300:
            return False
        if secret.startswith("whsec_"):
            key = base64.b64decode(secret.removeprefix("whsec_"))
    except ValueError:
        return False
    signed = f"{sent.get('webhook-id')}.{timestamp}.".encode(errors="replace") + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    signatures = sent.get("webhook-signature", "").split()
    return any(_equal(expected, signature) for signature in signatures)


def _equal(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode(errors="replace"))
# end sample
