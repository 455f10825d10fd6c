"""Units and number words as people write them, each with one name of its own."""

from __future__ import annotations

_UNITS = {
    "usd": "$ us$ usd dollar dollars",
    "eur": "€ eur euro euros",
    "gbp": "£ gbp pounds-sterling",
    "chf": "chf francs franken",
    "jpy": "¥ jpy yen",
    "inr": "₹ inr rupee rupees",
    "cent": "cents ¢",
    "percent": "% percent per-cent prozent pct pour-cent por-ciento per-cento procent процентов",
    "permille": "‰ permille promille",
    "points": "percentage-points percentage-point prozentpunkte pp",
    "nm": "nm nanometer nanometers nanometre nanometres",
    "um": "µm μm um micron microns",
    "mm": "mm millimeter millimeters millimetre millimetres",
    "cm": "cm centimeter centimeters centimetre centimetres zentimeter",
    "m": "m meter meters metre metres mètres metros metri",
    "km": "km kilometer kilometers kilometre kilometres",
    "inch": "inch inches ″ zoll",
    "foot": "ft foot feet",
    "yard": "yard yards yd",
    "mile": "mile miles mi",
    "m2": "m² m2 sqm square-metres square-meters quadratmeter",
    "km2": "km² km2 square-kilometres square-kilometers",
    "sqft": "sqft square-feet square-foot",
    "sqmi": "square-miles square-mile",
    "ha": "ha hectare hectares hektar",
    "acre": "acre acres",
    "m3": "m³ m3 cubic-metres cubic-meters",
    "mg": "mg milligram milligrams milligramm",
    "ug": "µg μg ug mcg microgram micrograms mikrogramm",
    "g": "g gram grams gramme grammes gramm",
    "kg": "kg kilo kilos kilogram kilograms kilogramm",
    "t": "t ton tons tonne tonnes tonnen",
    "lb": "lb lbs pound pounds",
    "oz": "oz ounce ounces",
    "ml": "ml milliliter milliliters millilitre millilitres",
    "l": "l liter liters litre litres",
    "gal": "gal gallon gallons",
    "ms": "ms millisecond milliseconds",
    "second": "s sec secs second seconds sekunde sekunden secondes segundos",
    "minute": "min mins minute minutes minuten minutos minuti",
    "hour": "h hr hrs hour hours stunde stunden heure heures hora horas ore",
    "day": "day days tag tage tagen jour jours día días giorni",
    "week": "week weeks woche wochen semaine semaines semana semanas settimane",
    "month": "month months monat monate monaten mois mes meses mesi",
    "year": "year years yr yrs jahr jahre jahren an ans année années año años anni",
    "decade": "decade decades",
    "century": "century centuries",
    "byte": "byte bytes",
    "kb": "kb kib kilobyte kilobytes",
    "mb": "mb mib megabyte megabytes",
    "gb": "gb gib gigabyte gigabytes",
    "tb": "tb tib terabyte terabytes",
    "mbit": "mbit mbps mbit/s",
    "gbit": "gbit gbps gbit/s",
    "hz": "hz hertz",
    "khz": "khz",
    "mhz": "mhz",
    "ghz": "ghz",
    "mw": "mw milliwatt megawatt megawatts",
    "w": "w watt watts",
    "kw": "kw kilowatt kilowatts",
    "wh": "wh",
    "kwh": "kwh",
    "mv": "mv",
    "v": "v volt volts",
    "kv": "kv",
    "ma": "ma",
    "mah": "mah",
    "amp": "amp amps ampere amperes",
    "nm-torque": "n·m newton-metres newton-meters",
    "n": "newton newtons",
    "kn": "kn",
    "pa": "pa pascal",
    "kpa": "kpa",
    "mpa": "mpa",
    "bar": "bar bars",
    "psi": "psi",
    "db": "db decibel decibels",
    "celsius": "°c °celsius degrees-celsius grad-celsius",
    "fahrenheit": "°f degrees-fahrenheit",
    "degree": "° degree degrees grad",
    "kelvin": "kelvin kelvins",
    "kcal": "kcal calories",
    "kj": "kj",
    "rpm": "rpm",
    "km/h": "km/h kmh kph",
    "mph": "mph",
    "m/s": "m/s",
}
UNITS = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings.split()}
"""Canonical unit by spelling in small letters; a hyphen stands for a space."""

_SCALES = {
    2: "hundred hundert",
    3: "thousand thousands tausend mille k",
    6: "million millions mio millionen millón millones milioni mln mn",
    9: "billion billions mrd milliarde milliarden milliard milliards miliardi bn",
    12: "trillion trillions",
}
SCALES = {spelling: power for power, spellings in _SCALES.items() for spelling in spellings.split()}
"""Power of ten by its word. `Billion` is the English one."""

_NUMBER_WORDS = (
    "zero null cero",
    "one eins",
    "two zwei deux dos due",
    "three drei trois tres tre",
    "four vier quatre cuatro quattro",
    "five fünf cinq cinco cinque",
    "six sechs seis sei",
    "seven sieben sept siete sette",
    "eight acht huit ocho otto",
    "nine neun nueve nove",
    "ten zehn diez dieci",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici",
    "thirteen dreizehn treize",
    "fourteen vierzehn quatorze",
    "fifteen fünfzehn quinze quince quindici",
    "sixteen sechzehn seize",
    "seventeen siebzehn",
    "eighteen achtzehn",
    "nineteen neunzehn",
)
_AMBIGUOUS = {"once", "sei", "sept", "null", "mil", "due", "tre", "elf", "dos"}
"""Words of one language that are something else in another."""
NUMBER_WORDS = {
    word: number
    for number, words in enumerate(_NUMBER_WORDS)
    for word in words.split()
    if word not in _AMBIGUOUS
}
TENS = {
    word: 10 * number
    for number, words in enumerate(
        (
            "twenty zwanzig vingt veinte venti",
            "thirty dreißig trente treinta trenta",
            "forty vierzig quarante cuarenta",
            "fifty fünfzig cinquante cincuenta cinquanta",
            "sixty sechzig soixante sesenta",
            "seventy siebzig setenta settanta",
            "eighty achtzig ochenta ottanta",
            "ninety neunzig noventa novanta",
        ),
        start=2,
    )
    for word in words.split()
}
_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
ORDINALS = {word: number for number, word in enumerate(_ORDINALS.split(), start=1)}
