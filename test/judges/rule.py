"""The rule: what the two intervals show decides."""

from medians import THREE_ERRORS, TWO_ERRORS

# Percentage points within which a difference is not worth a word.
MARGIN = 0.1

# A word that is given stays while a difference is within so many times what matters.
KEPT = 1.5


def ends_of(estimate, level):
    """[the interval, the interval wherever the missing outcomes lie: the same if none is missing]; None: unbounded."""
    interval = estimate.interval(level)
    return interval, estimate.bounds(level) if estimate.lost or getattr(estimate, "beyond", 0) else interval


def is_beyond(ends, side, margin):
    """Whether an interval lies wholly on one side of a margin."""
    if ends is None:
        return False
    end = ends[0] if side == "above" else ends[1]
    return end is not None and (end > margin if side == "above" else end < -margin)


def is_within(ends, most):
    return ends is not None and None not in ends and -most <= ends[0] and ends[1] <= most


def is_given(estimate, side, level=THREE_ERRORS):
    own, wide = ends_of(estimate, level)
    return is_beyond(own, side, MARGIN) and is_beyond(wide, side, 0)


def is_kept(estimate, side):
    return all(is_beyond(ends, side, 0) for ends in ends_of(estimate, TWO_ERRORS))


def word_of(estimate, least, before=None, level=THREE_ERRORS):
    """@param before: the word at the last look; level: at which above and below are given"""
    if estimate is None or estimate.m is None:
        return None
    if estimate.interval(TWO_ERRORS) is None:
        return "too_few_days"
    for side in ("above", "below"):
        if before == side and is_kept(estimate, side):
            return side
    for side in ("above", "below"):
        if is_given(estimate, side, level):
            return side
    most = KEPT * least if before == "small" else least
    return "small" if all(is_within(ends, most) for ends in ends_of(estimate, TWO_ERRORS)) else "unclear"


def to_do(word, to, vs_btc):
    """The one table. @param to: what `word` is against; vs_btc: the word against BTC"""
    if to == "others" and word == "above":
        return "keep"
    if to == "others" and word == "below":
        return {"below": "drop", "above": "behind_others_ahead_of_btc"}.get(vs_btc)
    return {"above": "ahead_of_btc", "below": "behind_btc"}.get(vs_btc)


def less_of(word, lately, before=None):
    """Whether an edge has become smaller: by three errors, again as before within two."""
    if word not in ("above", "below") or lately is None:
        return None
    difference = lately[2]
    towards = -difference.m if word == "above" else difference.m
    errors = 2 if before == "less" else 3
    return "less" if towards > errors * difference.error else "as_before"
