"""Receives webhooks. Put it below verify.py in one file."""

# sample: receiver
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = os.environ["WEBHOOK_SECRET"]
seen = set()  # a table in production: store the event by its id, respond, then process it


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = verify_standard_webhook(secret, self.headers, body)
        event_id = self.headers["webhook-id"]
        if genuine and event_id not in seen:
            seen.add(event_id)
            print("verified", json.loads(body)["type"], event_id, flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 4567), Receiver)
print("listening", flush=True)
server.serve_forever()
# end sample
