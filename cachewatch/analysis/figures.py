"""Numbers as people read them: commas, a real minus sign, three digits of a token count."""

from __future__ import annotations

from collections.abc import Callable

MINUS = "\u2212"
# From here on a percentage reads like a mistake.
PERCENT_UP_TO = 1.05
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage; one that would round to 0% keeps a digit, a real zero does not.

    >>> percent(0.684), percent(0.003), percent(0.0)
    ('68%', '0.3%', '0%')
    """
    if digits == 0 and 0 < share <= 0.005:
        digits = 1
    return f"{share * 100:.{digits}f}%"


def correlation(rho: float, digits: int = 2) -> str:
    """A correlation with its sign.

    >>> correlation(-0.984), correlation(0.14), correlation(0.001)
    ('\u22120.98', '+0.14', '0.00')
    """
    text = f"{abs(rho):.{digits}f}"
    if not float(text):
        return text
    return (MINUS if rho < 0 else "+") + text


def count(number: float, digits: int = 0) -> str:
    """A number with commas: 3,405."""
    return f"{number:,.{digits}f}"


def points(difference: float) -> str:
    """A difference of shares in points; one below three keeps a digit.

    >>> points(0.482), points(0.0123), points(-0.05)
    ('48 points', '1.2 points', '\u22125 points')
    """
    size = abs(difference) * 100
    digits = 1 if 0.05 <= size < 2.95 else 0
    text = f"{size:.{digits}f}"
    sign = MINUS if difference < 0 and float(text) else ""
    return f"{sign}{text} point" + ("" if text == "1" else "s")


def times(ratio: float) -> str:
    """A ratio of spreads; digits that say nothing are left out.

    >>> times(1.26), times(2950.4)
    ('1.3 times', '2,950 times')
    """
    return f"{count(ratio, 0 if ratio >= 99.95 else 1)} times"


def portion(ratio: float, of: str = "") -> str:
    """A ratio to a whole: a percentage up to the whole, beyond it how many times that is.

    `of` is what joins a percentage to the whole, which "times" needs not.

    >>> portion(0.62), portion(1.04, " of"), portion(1.62, " of"), portion(1.98)
    ('62%', '104% of', '1.6 times', 'twice')
    """
    if ratio < PERCENT_UP_TO:
        return f"{percent(ratio)}{of}"
    return "twice" if round(ratio, 1) == 2 else times(ratio)


def falls_by(fall: float) -> str:
    """How a share moves, from a fall in points of share: a negative one is a rise.

    >>> falls_by(0.052), falls_by(-0.05), falls_by(-0.0001)
    ('falls by 5 points', 'rises by 5 points', 'stays level')
    """
    size = points(abs(fall))
    if size == "0 points":
        return "stays level"
    return f"{'rises' if fall < 0 else 'falls'} by {size}"


def hours(number: int) -> str:
    """1 hour, 2 hours, 1,200 hours."""
    return f"{number:,} hour" + ("" if number == 1 else "s")


def tokens(number: float) -> str:
    """Three digits of a token count.

    >>> tokens(640), tokens(28_412_000), tokens(1_041_000_000)
    ('640', '28.4M', '1.04B')
    """
    for size, unit in _UNITS:
        if number >= size * 0.9995:
            scaled = number / size
            return f"{scaled:.{2 if scaled < 9.995 else 1 if scaled < 99.95 else 0}f}{unit}"
    return f"{number:.0f}"


def fraction(cached: float, total: float) -> str:
    """Numerator and denominator of a share: 28.4M / 41.8M."""
    return f"{tokens(cached)} / {tokens(total)}"


def apart(value: float, limit: float, shown: Callable[[float, int], str], digits: int) -> str:
    """`value` with as many digits as it takes to look different from `limit`, four more at most.

    >>> apart(0.604, 0.6, percent, 0)
    '60.4%'
    """
    for extra in range(5):
        text = shown(value, digits + extra)
        if value == limit or text != shown(limit, digits + extra):
            return text
    return text
