//! Verifies the signatures of webhooks. It does not need the client and may be copied.

// sample: verify
use base16ct::lower;
use base64::{engine::general_purpose::STANDARD, Engine};
use hmac::{Hmac, KeyInit, Mac};
use http::HeaderMap;
use sha2::Sha256;

/// Verifies `X-Service-Signature`. The body is the raw one: read it before anything decodes it.
pub fn verify_service_signature(secret: &str, body: &[u8], signature: &str) -> bool {
    let Some(digits) = signature.strip_prefix("sha256=") else {
        return false;
    };
    let mac = hmac_sha256(secret.as_bytes(), &[body]);
    lower::decode_vec(digits).is_ok_and(|code| mac.verify_slice(&code).is_ok())
}

/// Verifies the headers of Standard Webhooks, which also protect against replays: what was sent
/// more than five minutes before or after `now`, in Unix seconds, is refused.
pub fn verify_standard_webhook(secret: &str, headers: &HeaderMap, body: &[u8], now: i64) -> bool {
    let header = |name| match headers.get(name).map(|value| value.to_str()) {
        Some(Ok(value)) => value,
        _ => "",
    };
    let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
    let key = match secret.strip_prefix("whsec_") {
        Some(encoded) => STANDARD.decode(encoded),
        None => Ok(secret.as_bytes().to_vec()),
    };
    let (Ok(key), Ok(sent)) = (key, timestamp.parse()) else {
        return false;
    };
    if now.abs_diff(sent) > 300 {
        return false;
    }
    let mac = hmac_sha256(&key, &[id.as_bytes(), b".", timestamp.as_bytes(), b".", body]);
    header("webhook-signature")
        .split(' ')
        .filter_map(|signature| STANDARD.decode(signature.strip_prefix("v1,")?).ok())
        .any(|code| mac.clone().verify_slice(&code).is_ok())
}

fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    parts.iter().for_each(|part| mac.update(part));
    mac
}
// end sample
