"""Fetches a model file from one address over HTTP, going on where an earlier try stopped."""

from __future__ import annotations

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import IO

from desktop_rag.domain.errors import DownloadFailed, InvalidInput
from desktop_rag.storage.model_catalog import UrlSource
from desktop_rag.storage.model_files import PartialFile

_BLOCK = 256 << 10
_TRIES = 4
_TIMEOUT_S = 30.0
_MAX_REDIRECTS = 5
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


def fetch_url(
    source: UrlSource,
    size: int,
    partial: PartialFile,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Append what is still missing, with a few tries. `size` is that of the whole file, in bytes.

    A server that ignores ranges, or whose file changed meanwhile, makes it start over. The caller
    checks size and checksum at the end.

    Raises:
        InvalidInput: not an http or https address.
        DownloadFailed: what has arrived is kept for the next try.
        Cancelled, DiskFull: the same.
    """
    if not source.url.startswith(("https://", "http://")):
        raise InvalidInput(f"{source.url} is not an http or https address.")
    if partial.marker.get("source") != source.url:
        partial.restart()
    reason = ""
    for attempt in range(_TRIES):
        if attempt:
            pause(2.0**attempt)
        try:
            _request(source.url, size, partial)
        except urllib.error.HTTPError as exc:
            reason = f"the server answered {exc.code} {exc.reason}"
            exc.close()
            if exc.code < 500 and exc.code not in {408, 416, 429}:
                break
        except (urllib.error.URLError, http.client.HTTPException, OSError) as exc:
            reason = str(getattr(exc, "reason", "") or exc) or type(exc).__name__
        else:
            if partial.position >= size:
                return
            reason = "the connection ended early"
    raise DownloadFailed(
        f"{source.url} could not be downloaded: {reason}. "
        "What has arrived is kept; try again, and it goes on from there."
    )


def _request(url: str, size: int, partial: PartialFile) -> None:
    """One connection: append until the server or the file ends."""
    headers = {"Accept-Encoding": "identity", "User-Agent": "desktop-rag"}
    if partial.position:
        headers["Range"] = f"bytes={partial.position}-"
        if validator := partial.marker.get("validator"):
            headers["If-Range"] = validator
    request = urllib.request.Request(url, headers=headers)
    opener = urllib.request.build_opener(OnlySafeRedirects)
    try:
        with opener.open(request, timeout=_TIMEOUT_S) as response:
            _accept(response, partial)
            _receive(response, url, size, partial)
    except urllib.error.HTTPError as exc:
        if exc.code == 416:  # the server's file is shorter than what we have: it is another file
            partial.restart()
        raise


def _accept(response: http.client.HTTPResponse, partial: PartialFile) -> None:
    """Start over unless the answer begins exactly where our bytes end."""
    if not partial.position:
        return
    match = _RANGE.match(response.headers.get("Content-Range", ""))
    if response.status != 206 or not match or int(match[1]) != partial.position:
        if response.status == 206:
            raise http.client.HTTPException("the server sent another range than was asked for")
        partial.restart()


def _receive(response: IO[bytes], url: str, size: int, partial: PartialFile) -> None:
    marker = {"source": url, "validator": _validator(response)}
    try:
        while block := response.read(_BLOCK):
            partial.append(block)
            if partial.position > size:
                return  # more than the model: the caller finds the size wrong
            if partial.is_checkpoint_due():
                partial.checkpoint(marker)
    finally:
        if partial.position:
            partial.checkpoint(marker)


def _validator(response: IO[bytes]) -> str:
    """What `If-Range` may carry: a strong ETag or a date; weak tags are not allowed there."""
    headers = getattr(response, "headers", {})
    tag = headers.get("ETag", "")
    if tag and not tag.startswith("W/"):
        return str(tag)
    return str(headers.get("Last-Modified", ""))


class OnlySafeRedirects(urllib.request.HTTPRedirectHandler):
    """A few redirects, and none from https to something weaker."""

    max_redirections = _MAX_REDIRECTS

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """As urllib does, after a look at the scheme."""
        if req.full_url.startswith("https://") and not newurl.startswith("https://"):
            raise urllib.error.URLError("the server redirects to an insecure address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
