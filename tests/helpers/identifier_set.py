"""Questions for exact names over documents that are full of names that are nearly the same.

Each name stands once, in a long document about something else. Around it: short documents that
repeat its parts, and documents that repeat names with most of the parts in common.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

# name; how it is asked for ({} is the name), names that share parts with it
NAMES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("CVE-2024-1234", "{}", ("CVE-2024-1235", "CVE-2023-1234", "CVE-2024-12345")),
    ("CVE-2021-44228", "Which hosts are affected by {}?", ("CVE-2021-44229", "CVE-2012-44228")),
    ("CWE-79", "what is {}", ("CWE-78", "CVE-79", "CWE-790")),
    ("retry_limit", "{}", ("max_retry_limit", "retry_limit_ms", "retry_count", "limit_retry")),
    ("maxRetryCount", "Where is {} set?", ("maxRetryDelay", "minRetryCount", "maxRetryCounter")),
    ("get_user_name", "{}", ("get_user_names", "set_user_name", "get_user_id")),
    ("getUserName", "what does {} return", ("getUserNames", "setUserName", "getUsername2")),
    ("HTTPServer2", "{}", ("HTTPServer3", "HTTPClient2", "HTTPServer")),
    ("parse_config_file", "How does {}() fail?", ("parse_config_dir", "write_config_file")),
    ("MAX_BUFFER_SIZE", "{}", ("MIN_BUFFER_SIZE", "MAX_BUFFER_COUNT", "MAX_QUEUE_SIZE")),
    ("std::vector::at", "{}", ("std::vector::back", "std::array::at")),
    ("self.token_cache", "{}", ("self.token_store", "self.page_cache", "other.token_cache")),
    ("P-10500", "{}", ("P-10501", "P-1050", "Q-10500", "P-105000")),
    ("P-20733", "Which pump is {}?", ("P-20734", "R-20733")),
    ("XC-23/4b", "{}", ("XC-23/4a", "XC-24/4b", "XB-23/4b")),
    ("AB12-CD34-EF56", "licence {}", ("AB12-CD34-EF57", "AB12-CD35-EF56")),
    ("HX-9000-RT", "{} torque", ("HX-9000-LT", "HX-9001-RT", "HX-900-RT")),
    ("SKU-00417", "price of {}", ("SKU-00471", "SKU-0417", "SKU-00418")),
    ("M8x40", "{} bolts", ("M8x45", "M6x40", "M8x400")),
    ("WO-2023-118", "When was {} closed?", ("WO-2023-119", "WO-2022-118")),
    ("INV-2023-00042", "{}", ("INV-2023-00024", "INV-2022-00042")),
    ("RFC-2119", "{} keywords", ("RFC-2118", "RFC-2191")),
    ("ISO-27001", "Are we certified for {}?", ("ISO-27002", "ISO-2700", "IEC-27001")),
    ("EN-61000-4-2", "{}", ("EN-61000-4-3", "EN-61000-3-2", "EN-61001-4-2")),
    ("Q3FY24", "{} targets", ("Q2FY24", "Q3FY23")),
    ("v2.10.3", "{}", ("v2.10.4", "v2.1.3", "v2.10.30", "v21.0.3", "v3.10.2")),
    ("4.18.0-rc2", "changes in {}", ("4.18.0-rc1", "4.18.1-rc2", "4.8.0-rc2")),
    ("10.0.19045", "build {}", ("10.0.19044", "10.1.19045")),
    ("1.2.840.10008", "{}", ("1.2.840.10007", "1.2.840.1000", "1.2.804.10008")),
    ("192.168.17.23", "Which printer has {}?", ("192.168.17.32", "192.168.71.23", "192.16.17.23")),
    ("00:1B:44:11:3A:B7", "{}", ("00:1B:44:11:3A:B8", "00:1B:44:12:3A:B7")),
    ("src/engine/parser.py", "{}", ("src/engine/printer.py", "src/parser/engine.py")),
    ("docs/setup_guide.md", "What does {} say?", ("docs/setup_notes.md", "docs/style_guide.md")),
    ("report_final_v2.pdf", "{}", ("report_final_v3.pdf", "report_draft_v2.pdf")),
    ("/etc/app/hosts.conf", "{}", ("/etc/app/hosts.bak", "/etc/apt/hosts.conf")),
    ("jane.doe@example.com", "{}", ("john.doe@example.com", "jane.doe@example.org")),
    ("it-support@acme.test", "Who reads {}?", ("it-sales@acme.test", "hr-support@acme.test")),
    ("§573a", "{}", ("§573b", "§537a", "§572a")),
    ("DE89370400440532013000", "{}", ("DE89370400440532013001", "DE98370400440532013000")),
    ("GB29NWBK60161331926819", "account {}", ("GB29NWBK60161331926818",)),
    ("978-3-16-148410-0", "{}", ("978-3-16-148411-0", "978-3-61-148410-0")),
    ("+49-30-1234567", "{}", ("+49-30-1234568", "+49-40-1234567")),
    ("4111-2222-3333-4444", "{}", ("4111-2222-3333-4445", "4112-2222-3333-4444")),
    ("EU-2016/679", "{}", ("EU-2016/680", "EU-2015/679")),
    ("C-131/12", "judgment {}", ("C-131/13", "C-132/12", "T-131/12")),
    ("A320-214", "{}", ("A320-216", "A321-214", "A320-2140")),
    ("ERR_CONN_RESET", "{}", ("ERR_CONN_CLOSED", "ERR_CERT_RESET", "WARN_CONN_RESET")),
    ("0x80070005", "error {}", ("0x80070006", "0x8007000", "0x80090005")),
    ("ORA-01555", "{}", ("ORA-01554", "ORA-00155")),
    ("TLS1.3", "Is {} on?", ("TLS1.2", "TLS1.30")),
    ("libssl3.so.1", "{}", ("libssl3.so.2", "libssl2.so.1")),
    ("utf-8-sig", "{}", ("utf-8-bom", "utf-16-sig")),
    ("btn--primary-lg", "{}", ("btn--primary-sm", "btn--second-lg")),
    ("user.profile.email", "{}", ("user.profile.phone", "user.contact.email")),
    ("X-Request-Id", "header {}", ("X-Request-Name", "X-Session-Id")),
    ("#4711", "ticket {}", ("#4712", "#47110")),
    ("KB5034441", "{}", ("KB5034442", "KB503444")),
    ("BRCA1-c.68", "{}", ("BRCA1-c.69", "BRCA2-c.68")),
    ("B-17G", "{} crew", ("B-17F", "B-71G", "B-17")),
    ("SN-4F7A-11", "{}", ("SN-4F7B-11", "SN-4F7A-12", "SN-5F7A-11")),
)

_TOPICS = (
    "The committee met in the large hall and agreed on the plan for the coming year.",
    "Cleaning is done twice a week by the night shift, and the doors stay locked.",
    "A warm autumn brought more visitors to the gardens than in any year before.",
    "The price of timber rose again, so that the roof will be finished later.",
    "Every employee receives a card that opens the gate and the rooms of the floor.",
    "Measurements were taken by two persons who did not know of each other's results.",
    "Delivery takes five working days; heavy goods are brought by an agent.",
    "The old mill at the river has been turned into a school for music.",
    "Where a value is missing the mean of the neighbours was taken instead.",
    "Trains to the coast leave on the hour and stop at all stations on Sundays.",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the number of the one text that names what it asks for."""

    name: str
    question: str
    answer: int


def identifier_set() -> tuple[dict[int, str], list[Asked]]:
    """Texts by number and the questions; the same ones on every call."""
    dice = random.Random(4)
    texts: dict[int, str] = {}
    asked: list[Asked] = []
    for name, template, others in NAMES:
        answer = _add(texts, _about(dice, 8, f"It concerns {name} as agreed."))
        asked.append(Asked(name, template.format(name), answer))
        for other in others:
            _add(texts, _about(dice, 2, f"This is {other}. See {other} for {other}."))
        parts = " ".join(_parts(name))
        if parts in name:
            continue
        _add(texts, f"{parts}. About {parts}, again {parts}.")
        _add(texts, _about(dice, 1, ", ".join(_parts(name) * 3)))
    return texts, asked


def _about(dice: random.Random, sentences: int, told: str) -> str:
    drawn = dice.sample(_TOPICS, sentences)
    drawn.insert(sentences // 2, told)
    return " ".join(drawn)


def _parts(name: str) -> list[str]:
    """`HTTPServer2` as `HTTP Server 2`."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)


def _add(texts: dict[int, str], text: str) -> int:
    number = len(texts) + 1
    texts[number] = text
    return number
