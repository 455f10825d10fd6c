"""The language of the window: English in the code, others from catalogues of GNU gettext.

`resources/translations/LANGUAGE/LC_MESSAGES/window.mo` are made from the `.po` files beside them
(`packaging/translations.py`). Texts are looked up when a widget is built, so another language
means other widgets: nothing here is called while a module is imported.
"""

from __future__ import annotations

import gettext
import locale

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from desktop_rag.paths import shipped

LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "ar": "العربية",
    "zh": "简体中文",
}
"""Codes and the names people who speak them look for."""
_DOMAIN = "window"
_RIGHT_TO_LEFT = frozenset({"ar"})
_QT_NAMES = {"zh": "zh_CN"}
"""Of Qt's own texts, where they are called otherwise."""

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_spoken = "en"


def _(text: str) -> str:
    """The text in the language of the window; as it is where nobody has translated it."""
    return _catalogue.gettext(text)


def counted(one: str, many: str, number: int) -> str:
    """The form that belongs to a number, which stands where `{n}` is: `1 file`, `2,300 files`."""
    return _catalogue.ngettext(one, many, number).format(n=numeral(number))


def numeral(number: int) -> str:
    """A number with the separators of the language."""
    return QLocale().toString(number)


def speak(application: QApplication, language: str = "") -> str:
    """Use a language from now on; without one, the system's if there is a catalogue of it.

    Numbers, dates, Qt's own dialogues and the direction of the layout follow. Returns its code.
    """
    global _catalogue, _spoken
    code = language if language in LANGUAGES else system_language()
    _spoken = code
    folder = str(shipped("resources", "translations"))
    _catalogue = gettext.translation(_DOMAIN, folder, [code], fallback=True)
    QLocale.setDefault(_locale(code))
    _translate_qt(application, code)
    is_mirrored = code in _RIGHT_TO_LEFT
    application.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if is_mirrored else Qt.LayoutDirection.LeftToRight
    )
    return code


def spoken() -> str:
    """Code of the language in use."""
    return _spoken


def system_language() -> str:
    """The first language the person told the system that the window speaks, else English."""
    for name in QLocale.system().uiLanguages() or [locale.getlocale()[0] or ""]:
        code = name.replace("_", "-").split("-")[0].lower()
        if code in LANGUAGES:
            return code
    return "en"


def _locale(code: str) -> QLocale:
    """The system's, with its country's ways, if it speaks that language."""
    system = QLocale.system()
    if QLocale.languageToCode(system.language()) == code:
        return system
    return QLocale(code)


def _translate_qt(application: QApplication, code: str) -> None:
    """Buttons of Qt's own dialogues; the translator of before is taken away with its object."""
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    if code == "en":
        return
    translator = QTranslator(application)
    place = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"qtbase_{_QT_NAMES.get(code, code)}", place):
        application.installTranslator(translator)
