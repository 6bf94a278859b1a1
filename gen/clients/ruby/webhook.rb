# Verifies the signatures of webhooks. It may be copied.

# sample: verify
require 'openssl'

module Webhook
  module_function

  # Verifies X-Service-Signature. The body is the raw one: read it before anything decodes it.
  def verify_service_signature(secret, body, signature)
    expected = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, body)}"
    OpenSSL.secure_compare(expected, signature.to_s)
  end

  # Verifies the headers of Standard Webhooks, which also protect against replays: what was sent
  # more than five minutes before or after now is refused. Rails' request.headers will do; in a
  # Hash the names are in lower case.
  def verify_standard_webhook(secret, headers, body, now = Time.now)
    id, timestamp = headers['webhook-id'], headers['webhook-timestamp']
    return false if (now.to_i - Integer(timestamp, 10)).abs > 300

    key = secret.start_with?('whsec_') ? secret.delete_prefix('whsec_').unpack1('m0') : secret
    mac = OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.".b + body.b)
    expected = "v1,#{[mac].pack('m0')}"
    headers['webhook-signature'].to_s.split.any? { |signature| OpenSSL.secure_compare(expected, signature) }
  rescue ArgumentError, TypeError # neither a number nor base64, or nothing
    false
  end
end
# end sample
