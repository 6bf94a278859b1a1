"""Records which operations of the contract were called."""

import logging
import re

import httpx


class Requests(logging.Handler):
    """Records all requests that httpx sends from now on, from any client."""

    def __init__(self) -> None:
        super().__init__()
        self._requests: set[str] = set()
        logger = logging.getLogger("httpx")
        logger.addHandler(self)
        logger.setLevel(logging.INFO)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.args, tuple):
            method, url, *_ = record.args
            self._requests.add(f"{method} {httpx.URL(str(url)).path}")

    def count(self, url: str) -> int:
        """Returns the number of operations in the contract; raises if one was not called."""
        contract = httpx.get(f"{url}/openapi.json").raise_for_status().json()
        operations = [
            f"{m.upper()} {path}" for path, item in contract["paths"].items() for m in item
        ]
        missing = [operation for operation in operations if not self._called(operation)]
        if missing:
            raise AssertionError(f"not called: {', '.join(missing)}")
        return len(operations)

    def _called(self, operation: str) -> bool:
        pattern = re.compile(re.sub(r"\{\w+\}", "[^/]+", operation))
        return any(pattern.fullmatch(request) for request in self._requests)
