package com.example.integration;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Listens for webhooks, and keeps them as they came. */
final class Receiver implements AutoCloseable {
    record Webhook(Headers headers, byte[] body) {}

    private final HttpServer server;
    private final BlockingQueue<Webhook> received = new LinkedBlockingQueue<>();

    Receiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/hooks", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            received.add(new Webhook(exchange.getRequestHeaders(), body));
        });
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hooks");
    }

    Webhook await() throws InterruptedException {
        Webhook webhook = received.poll(30, TimeUnit.SECONDS);
        if (webhook == null) {
            throw new IllegalStateException("no webhook came");
        }
        return webhook;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
