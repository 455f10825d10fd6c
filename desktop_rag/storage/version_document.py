"""Reads the document at an update address: which version is the newest, and where it is told of.

```json
{"version": "1.4.0", "page": "https://intranet.example/desktop-rag"}
```

`page` may be missing. Nothing is sent but the request itself: no identifier, no version.
"""

from __future__ import annotations

import http.client
import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass

from desktop_rag.domain.errors import DownloadFailed, InvalidInput
from desktop_rag.storage.model_url import OnlySafeRedirects

_TIMEOUT_S = 15.0
_MAX_BYTES = 64 << 10
_VERSION = re.compile(r"\d{1,6}(\.\d{1,6}){0,3}")


@dataclass(frozen=True, slots=True)
class VersionDocument:
    """What stands in it. `page` is empty or an http or https address."""

    version: str
    page: str = ""


def fetch_version_document(url: str) -> VersionDocument:
    """Ask once. *May block* for seconds.

    Raises:
        DownloadFailed: nobody answers there.
        InvalidInput: what is there is no such document.
    """
    request = urllib.request.Request(url, headers={"User-Agent": "desktop-rag"})
    opener = urllib.request.build_opener(OnlySafeRedirects)
    try:
        with opener.open(request, timeout=_TIMEOUT_S) as response:
            contents = response.read(_MAX_BYTES + 1)
    except urllib.error.HTTPError as exc:
        exc.close()
        raise DownloadFailed(
            f"{url} answered {exc.code} {exc.reason}. Check update_address in the settings."
        ) from exc
    except (OSError, http.client.HTTPException) as exc:
        reason = str(getattr(exc, "reason", "") or exc) or type(exc).__name__
        raise DownloadFailed(
            f"{url} cannot be reached: {reason}. Try again when you are connected."
        ) from exc
    return parsed_version_document(contents, url)


def parsed_version_document(contents: bytes, url: str) -> VersionDocument:
    """Raises InvalidInput, naming the address."""
    try:
        found = json.loads(contents) if len(contents) <= _MAX_BYTES else None
    except (ValueError, RecursionError):
        found = None
    version = found.get("version") if isinstance(found, dict) else None
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise InvalidInput(
            f"What is at {url} does not say a version. Check update_address in the settings."
        )
    assert isinstance(found, dict)
    page = found.get("page", "")
    is_page = isinstance(page, str) and page.startswith(("https://", "http://"))
    return VersionDocument(version, page if is_page else "")
