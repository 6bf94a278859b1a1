"""What the generated client leaves to the caller: refused requests as errors, and the way to the next page."""

import re
from collections.abc import Mapping
from typing import Protocol, TypeVar, cast
from urllib.parse import parse_qs, urlsplit

from assay.models import Problem

T_co = TypeVar("T_co", covariant=True)


class ProblemError(Exception):
    """Why a request was refused (RFC 9457): `code` says it, and `errors` names each field that is wrong."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.code}: {problem.detail} ({problem.request_id})")
        self.problem = problem


class Envelope(Protocol[T_co]):
    @property
    def data(self) -> T_co: ...


def ok(answer: Envelope[T_co] | Problem | None) -> T_co:
    """What the request answered; raises a ProblemError if it was refused."""
    if isinstance(answer, Problem):
        raise ProblemError(answer)
    return cast(T_co, answer and answer.data)


def next_page(headers: Mapping[str, str]) -> str | None:
    """The `after` of the next page, which the Link header names while there is more."""
    link = re.search(r'<([^>]+)>; rel="next"', headers.get("Link", ""))
    return parse_qs(urlsplit(link[1]).query)["after"][0] if link else None
