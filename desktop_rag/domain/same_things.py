"""Whether two words name the same things: singular and plural, and the commonest translations.

Used to find what a question counts: `customers` are in `customer-list.csv`, and in `kunden.xlsx`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from desktop_rag.domain import condition_words
from desktop_rag.domain.terms import fold

_ENDINGS = frozenset(condition_words.ENDINGS.split())
_PARTS = re.compile(r"[^\W\d_]+")
_LEAST_COMPOUND = 5
"""Letters of the word that a compound begins or ends with: `Kundenliste`, `Mietvertrag`."""
_SHORT_ENDINGS = ("", "s", "es", "e", "n", "i", "o", "a")
_PLURALS = ("", "e", "en", "n", "er", "s")
_HOLDERS = condition_words.HOLDERS.split()
_TRANSLATIONS = tuple(
    frozenset(line.split())
    for line in (
        "customer client kunde klient cliente klant kund kunder клиент",
        "invoice bill rechnung facture factura fattura fatura factuur faktura счет",
        "contract agreement vertrag contrat contrato contratto contract umowa avtal договор",
        "employee staff personnel mitarbeiter employe empleado dipendente funcionario medewerker"
        " werknemer pracownik сотрудник",
        "order bestellung auftrag commande pedido ordine encomenda zamowienie заказ",
        "product item article produkt artikel produit producto prodotto produto товар",
        "supplier vendor lieferant fournisseur proveedor fornitore fornecedor leverancier",
        "letter brief lettre carta lettera list brev письмо",
        "report bericht rapport informe relazione relatorio raport отчет",
        "member mitglied membre miembro membro lid czlonek medlem",
        "payment zahlung paiement pago pagamento betaling platnosc платеж",
        "receipt quittung beleg recu recibo ricevuta kvitto bon",
        "offer quote quotation angebot devis oferta presupuesto offerta preventivo offerte",
        "book buch livre libro livro boek ksiazka bok книга",
        "student pupil schuler eleve alumno estudiante studente aluno leerling uczen",
        "patient paciente paziente pacjent пациент",
        "participant teilnehmer participante partecipante deelnemer uczestnik участник",
        "project projekt projet proyecto progetto projeto проект",
        "task aufgabe tache tarea compito tarefa taak zadanie задача",
        "recipe rezept recette receta ricetta receita recept przepis",
    )
)


def are_same(one: str, other: str) -> bool:
    """Whether two words are forms, or translations, of the same word."""
    return bool(_roots(one) & _roots(other)) or _are_forms(fold(one), fold(other))


def are_forms(one: str, other: str) -> bool:
    """Whether two words are forms of the same word: `product` and `products`."""
    return _are_forms(fold(one), fold(other))


def names(text: str, thing: str, *, is_translated: bool = True) -> bool:
    """Whether a name (of a file, sheet, column) speaks of the thing: as a word or in a compound.

    Args:
        text: the name.
        thing: what is asked for, in any form.
        is_translated: whether the thing may have its name in another language there.
    """
    words = _PARTS.findall(fold(text))
    return any(_is_kind_of(word, fold(thing), is_translated=is_translated) for word in words)


def lists(text: str, thing: str, *, is_translated: bool = True) -> bool:
    """Whether what is called so holds such things: `Active customers`, `Kundenliste 2023`.

    An `Employee handbook` and `customer feedback` do not: there the thing is not what is held.
    """
    words = [one for one in _PARTS.findall(fold(text)) if one not in _HOLDERS]
    if not words:
        return False
    last = next((words[-1].removesuffix(h) for h in _HOLDERS if words[-1].endswith(h)), words[-1])
    return _is_kind_of(last, fold(thing), is_translated=is_translated)


@lru_cache(maxsize=4096)
def _is_kind_of(word: str, thing: str, *, is_translated: bool) -> bool:
    """Whether a word is the thing, or a compound that ends with it: `Mietvertrag`."""
    if _are_forms(word, thing) or (is_translated and are_same(word, thing)):
        return True
    group = {one for group in _groups(thing) for one in group} if is_translated else set()
    others = {one for one in group if not _are_forms(one, thing)}
    # English, French and Spanish plurals: those languages do not write compounds as one word.
    own = set() if thing.endswith("s") else {thing, *_singulars(thing)}
    roots = [root for root in own | others if len(root) >= _LEAST_COMPOUND]
    return any(
        word.endswith(root) or word[: -len(end)].endswith(root)
        for root in roots
        for end in _PLURALS
        if word.endswith(end)
    )


def _roots(word: str) -> frozenset[int]:
    folded = fold(word)
    return frozenset(
        number
        for number, group in enumerate(_TRANSLATIONS)
        if any(_are_forms(folded, one) for one in group)
    )


def _groups(word: str) -> list[frozenset[str]]:
    return [_TRANSLATIONS[number] for number in _roots(word)]


def _singulars(word: str) -> set[str]:
    return {
        word[: -len(ending)]
        for ending in _ENDINGS
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_COMPOUND
    }


@lru_cache(maxsize=16384)
def _are_forms(one: str, other: str) -> bool:
    """`company` and `companies`, `Vertrag` and `Verträge` (folded): a stem, then endings."""
    if one == other:
        return True
    length = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if length is None:
        length = min(len(one), len(other))
    ends = one[length:], other[length:]
    least = 3 if all(end in _SHORT_ENDINGS for end in ends) else 4
    return length >= least and all(end in _ENDINGS or not end for end in ends)
