"""A mail server that keeps the latest reset link of each recipient."""

import contextlib
import email
import email.policy
import re
import socketserver
import threading

LINK = re.compile(r"/reset-password#(pwr_\S+)")


class Session(socketserver.StreamRequestHandler):
    """One SMTP connection (RFC 5321), without extensions."""

    def handle(self):
        self.answer("220 ready")
        recipient = None
        for line in self.rfile:
            verb = line[:4].upper()
            if verb == b"QUIT":
                return self.answer("221 bye")
            if verb == b"RCPT":
                recipient = re.search(rb"<(.*)>", line)[1].decode().lower()
            if verb == b"DATA":
                self.answer("354 go on")
                self.keep(recipient)
            self.answer("250 ok")

    def answer(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def keep(self, recipient):
        lines = []
        for line in self.rfile:
            if line.rstrip(b"\r\n") == b".":
                break
            lines.append(line.removeprefix(b"."))
        message = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        found = LINK.search(message.get_body(("plain",)).get_content())
        if found:
            self.server.tokens[recipient] = found[1]


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextlib.contextmanager
def mail_server():
    """Yields the address for ASSAY_SMTP_URL, and a dictionary of reset tokens by email address."""
    with Server(("127.0.0.1", 0), Session) as server:
        server.tokens = {}
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}", server.tokens
        server.shutdown()
