package com.example.integration;

// sample: verify
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Tells genuine webhooks from others. The body is the raw one: read it before anything decodes it. */
public final class WebhookVerifier {
    private WebhookVerifier() {}

    /** Verifies X-Service-Signature. */
    public static boolean verifyServiceSignature(String secret, byte[] body, String signature) {
        byte[] mac = hmacSha256(secret.getBytes(UTF_8), body);
        return signature != null && equal("sha256=" + HexFormat.of().formatHex(mac), signature);
    }

    /**
     * Verifies the headers of Standard Webhooks, which also protect against replays: what was sent
     * more than five minutes before or after now is refused.
     *
     * @param header finds a header by its name in lower case, such as {@code request::getHeader}
     */
    public static boolean verifyStandardWebhook(
            String secret, UnaryOperator<String> header, byte[] body, Instant now) {
        String id = header.apply("webhook-id");
        String timestamp = header.apply("webhook-timestamp");
        String signatures = header.apply("webhook-signature");
        if (id == null || timestamp == null || signatures == null) {
            return false;
        }
        try {
            long sent = Long.parseLong(timestamp);
            if (sent < now.getEpochSecond() - 300 || sent > now.getEpochSecond() + 300) {
                return false;
            }
            byte[] key = secret.startsWith("whsec_")
                    ? Base64.getDecoder().decode(secret.substring("whsec_".length()))
                    : secret.getBytes(UTF_8);
            byte[] mac = hmacSha256(key, (id + "." + timestamp + ".").getBytes(UTF_8), body);
            String expected = "v1," + Base64.getEncoder().encodeToString(mac);
            return Stream.of(signatures.split(" ")).anyMatch(signature -> equal(expected, signature));
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static byte[] hmacSha256(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Takes as long whatever the difference, so that a forger learns nothing from it. */
    private static boolean equal(String expected, String actual) {
        return MessageDigest.isEqual(expected.getBytes(UTF_8), actual.getBytes(UTF_8));
    }
}
// end sample
