# Checks the verification of webhook signatures with the cases of a file.
# Usage: ruby -w verify.rb FILE

require 'json'
require_relative 'webhook'

cases = JSON.parse(File.read(ARGV.fetch(0), encoding: 'UTF-8'))
disagreements = cases.flat_map do |example|
  secret, body = example.values_at('secret', 'body')
  headers = example['headers'].transform_keys(&:downcase)
  service = Webhook.verify_service_signature(secret, body, headers['x-service-signature'])
  standard = Webhook.verify_standard_webhook(secret, headers, body, Time.at(example['now']))
  [
    ("X-Service-Signature taken as #{service}" if service != example['serviceSignatureValid']),
    ("Standard Webhooks taken as #{standard}" if standard != example['standardWebhooksValid'])
  ].compact.map { |what| "#{example['name']}: #{what}" }
end

warn disagreements
puts "#{cases.size} cases"
exit cases.any? && disagreements.empty?
