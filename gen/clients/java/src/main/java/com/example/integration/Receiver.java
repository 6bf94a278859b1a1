package com.example.integration;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Listens for one webhook, and keeps it as it came. */
final class Receiver implements AutoCloseable {
    record Webhook(Headers headers, byte[] body) {}

    private final HttpServer server;
    private final CompletableFuture<Webhook> received = new CompletableFuture<>();

    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hooks", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            received.complete(new Webhook(exchange.getRequestHeaders(), body));
        });
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hooks");
    }

    Webhook await() throws InterruptedException, ExecutionException, TimeoutException {
        return received.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
