package com.example.integration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Holds the verification of webhook signatures against the cases of a file. */
public final class Verify {
    private Verify() {}

    private record Case(
            String name,
            String secret,
            long now,
            Map<String, String> headers,
            String body,
            boolean serviceSignatureValid,
            boolean standardWebhooksValid) {}

    public static void main(String[] arguments) throws Exception {
        Case[] cases = new ObjectMapper().readValue(new File(arguments[0]), Case[].class);
        int disagreements = 0;
        for (Case example : cases) {
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(example.headers);
            byte[] body = example.body.getBytes(UTF_8);
            boolean service = WebhookVerifier.verifyServiceSignature(
                    example.secret, body, headers.get("X-Service-Signature"));
            if (service != example.serviceSignatureValid) {
                System.err.printf("%s: X-Service-Signature taken as %b%n", example.name, service);
                disagreements++;
            }
            boolean standard = WebhookVerifier.verifyStandardWebhook(
                    example.secret, headers::get, body, Instant.ofEpochSecond(example.now));
            if (standard != example.standardWebhooksValid) {
                System.err.printf("%s: Standard Webhooks taken as %b%n", example.name, standard);
                disagreements++;
            }
        }
        System.out.printf("%d cases%n", cases.length);
        System.exit(cases.length == 0 || disagreements > 0 ? 1 : 0);
    }
}
