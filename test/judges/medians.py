"""Outcomes of cards and the inference on medians, straight from the definitions."""

import math
from dataclasses import dataclass
from datetime import datetime, timezone

import numpy as np
from scipy import optimize, special

DAY = 86_400_000
# Hours, the least difference that matters, UTC days of a block where days are fewer than 36, and where more.
HORIZONS = {"1h": (1, 0.25, (1, 1)), "24h": (24, 1.0, (2, 3))}
LEAST = {h: least for h, (_, least, _) in HORIZONS.items()}

# The levels of the two intervals that are drawn, and that of a change of settings.
TWO_ERRORS, THREE_ERRORS, OF_CHANGES = 0.05, 0.003, 0.01


def millis(text):
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def text_of(time):
    text = datetime.fromtimestamp(time / 1000, timezone.utc).isoformat(timespec="milliseconds")
    return text.replace(".000", "").replace("+00:00", "Z")


def clean(value):
    return round(value, 10)


def middle(values):
    """The median; infinite values are only below or above all others."""
    ordered = sorted(values)
    at = (len(ordered) - 1) / 2
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low if low == high else (low + high) / 2


def tail(t, df):
    """How often Student's t is larger."""
    return float(special.stdtr(df, -t))


def quantile(level, df):
    """Student's t that is exceeded so often; one step of Newton's, as SciPy 1.10 has it right to 5e-9 only."""
    t = -special.stdtrit(df, level)
    density = (1 + t**2 / df) ** (-(df + 1) / 2) / (math.sqrt(df) * special.beta(0.5, df / 2))
    return float(t + (tail(t, df) - level) / density)


def wider(width, df, level):
    """Imbens & Manski's t for an estimate anywhere within so many standard errors."""
    too_rare = lambda t: level - tail(t + width, df) - tail(t, df)
    return optimize.brentq(too_rare, 0.1, quantile(0.4 * level, df), xtol=1e-14)


def members(labels):
    """One row a cluster, in the order of the labels: whether each value is in it."""
    names, places = np.unique(labels, return_inverse=True)
    return (np.arange(len(names))[:, None] == places).astype(float)


class Clusters:
    """Of scores that weigh as much as said: how sure their sum is, by Bell & McCaffrey's quadratic form in cluster sums."""

    def __init__(self, labels, scores, ranks=None, lasting=0.0):
        """@param ranks: whose squares are the weights; lasting: part of the noise that cards of a cluster share"""
        member, ranks = members(labels), np.ones(len(scores)) if ranks is None else ranks
        own = member @ ranks**2
        member, self.own = member[own > 0], own[own > 0]
        self.w, self.sums = self.own / self.own.sum(), member @ scores
        self.noise = self.own + lasting * (member @ ranks) ** 2
        self.count, self.heaviest = len(self.w), self.w.max()
        self.variance = float(np.sum(self.sums**2 / (1 - self.w))) if self.count > 1 else math.inf

    @property
    def df(self):
        if self.count < 2:
            return 1.0
        centre = np.eye(self.count) - np.outer(self.w, np.ones(self.count))
        form = centre.T @ np.diag(1 / (1 - self.w)) @ centre @ np.diag(self.noise)
        return float(np.trace(form) ** 2 / np.trace(form @ form))


def base_block(h, days):
    return HORIZONS[h][2][days >= 36]


def go_together(sums):
    """Whether clusters in a row do."""
    centred = sums - np.mean(sums)
    return np.sum(centred[1:] * centred[:-1]) > 0.8 / math.sqrt(len(sums)) * np.sum(centred**2)


def known(pairs):
    """Of (value, card), those that are not missing (NaN)."""
    return [(value, card) for value, card in pairs if not math.isnan(value)]


class Median:
    """Inference on the median of values by days and symbols, by trials and matrices, where the program uses sums."""

    def __init__(self, pairs, h, whole=1):
        """@param pairs: (value, card), NaN is missing; whole: the block of all groups together"""
        self.all, self.pairs, self.h, self.whole = pairs, known(pairs), h, whole
        self.x = np.array([value for value, _ in self.pairs], dtype=float)
        self.ordered, self.n, self.lost = np.sort(self.x), len(self.x), len(pairs) - len(self.x)
        self.m = middle(self.x.tolist()) if self.n else None
        scores = np.where(self.x < self.m, 0.5, np.where(self.x > self.m, -0.5, 0.0)) if self.n else self.x
        self.spread(scores, [card for _, card in self.pairs], 0.25)

    def spread(self, scores, cards, floor):
        """How sure the mean of scores is."""
        days = np.array([card["day"] for card in cards], dtype=int)
        self.days = len(set(days.tolist()))
        self.clusters, self.block, self.span = 0, base_block(self.h, self.days), 0
        if self.days == 0:
            return
        self.span = int(days.max() - days.min()) + 1
        longest = self.days // 12
        if go_together(Clusters(days // self.block, scores).sums):
            self.block = max(self.block, longest)
        self.block = max(self.block, min(self.whole, longest))
        by_days = Clusters(days // self.block, scores)
        self.clusters, self.df, n = by_days.count, by_days.df, len(scores)
        self.variance = max(by_days.variance / n**2, floor / n)
        by_symbols = Clusters([card["source_symbol"] for card in cards], scores)
        if self.clusters > 1 and by_symbols.count >= 8:
            cells = Clusters([f"{day // self.block} {card['source_symbol']}" for day, card in zip(days, cards)], scores)
            both = (by_days.variance + by_symbols.variance - cells.variance) / n**2
            if both > self.variance:
                self.variance, self.df = both, min(self.df, by_symbols.df)

    def distance(self, values):
        """Of each: what more than half of the sample lies below it, or above."""
        below, above = np.searchsorted(self.ordered, values), self.n - np.searchsorted(self.ordered, values, "right")
        return np.maximum(np.maximum(below, above) / self.n - 0.5, 0.0)

    def within(self, t, level):
        half = t * math.sqrt(self.variance)
        if half >= 0.5 and 2.0 ** (1 - self.clusters) > level:
            return None
        kept = self.ordered[self.distance(self.ordered) <= half]
        return [float(kept[0]), float(kept[-1])]

    def interval(self, level):
        return self.within(quantile(level / 2, self.df), level) if self.clusters >= 6 else None

    def p(self):
        """Of a median of 0."""
        if self.clusters < 6:
            return None
        distance = float(self.distance(0))
        p = 2 * tail(distance / math.sqrt(self.variance), self.df)
        return min(p, 2.0 ** (1 - self.clusters)) if distance == 0.5 else p

    def bounds(self, level):
        """Imbens & Manski: the ends with all missing values lowest, and highest; t such that one of them fails at most."""
        if not self.lost:
            return None
        ends = []
        for end, value in enumerate((-math.inf, math.inf)):
            filled = [(value if math.isnan(own) else own, card) for own, card in self.all]
            sample = Median(filled, self.h, self.whole)
            if sample.clusters < 6:
                return None
            width = self.lost / sample.n / math.sqrt(sample.variance)
            found = sample.within(wider(width, sample.df, level), level)
            ends.append(None if found is None or math.isinf(found[end]) else found[end])
        return ends


@dataclass
class ByT:
    """An estimate with a standard error; lost: how far its missing outcomes could move it; beyond: more than others'."""

    m: float
    error: float
    df: float
    n: int
    span: int = 0
    clusters: int = 0
    windows: int = 0
    lost: float = 0.0
    beyond: float = 0.0
    vs_btc: float = 0.0
    asked: int = 0
    # What the symbols' betas took off.
    beta: float = 0.0
    # [the newest window, the earlier ones, their difference]; None without two.
    lately: list | None = None

    def interval(self, level):
        half = quantile(level / 2, self.df) * self.error
        return [self.m - half, self.m + half]

    def p(self):
        return 2 * tail(abs(self.m) / self.error, self.df)

    def bounds(self, level):
        if not self.lost and not self.beyond:
            return None
        cases = ((self.lost, max(level, 0.05)), (self.beyond, level))
        half = max(moved + self.error * wider(2 * moved / self.error, self.df, a) for moved, a in cases)
        return [self.m - half, self.m + half]


def number(value):
    return math.nan if value is None else value


class Gathered:
    """The outcomes of cards at a horizon: (move, card) and (difference to BTC, card), NaN where it is missing."""

    def __init__(self, cards, h, btc):
        self.cards, self.h, self.moves, self.differences = cards, h, [], []
        self.with_btc = []
        self.pending = self.missing = self.other = self.without = self.of_btc = 0
        for card in cards:
            is_bought = "context_scope" in card
            outcome = card["outcome"] if is_bought else None
            state = outcome and outcome[f"state_{h}"]
            self.without += outcome is None
            self.pending += state == "pending"
            self.missing += state == "missing" or state == "available" and outcome[f"move_{h}_pct"] is None
            self.other += state not in (None, "available", "missing", "pending")
            if not is_bought or state == "pending":
                continue
            move = number(outcome[f"move_{h}_pct"]) if state == "available" else math.nan
            difference = clean(move - number(outcome[f"btc_move_{h}_pct"])) if outcome else math.nan
            self.moves.append((move, card))
            if card["source_symbol"] not in btc:
                self.differences.append((difference, card))
                if not math.isnan(difference):
                    self.with_btc.append((move, outcome[f"btc_move_{h}_pct"], card))
            elif not math.isnan(difference):
                self.of_btc += 1


def btc_symbols(cards):
    found = {}
    for h in HORIZONS:
        for value, card in known(Gathered(cards, h, ()).differences):
            found.setdefault(card["source_symbol"], set()).add(value)
    return {symbol for symbol, values in found.items() if values == {0}}


def against_others(differences, key_of):
    """Less the median of the day's differences of other groups, of which there must be 3."""
    compared, days = [], {}
    for value, card in known(differences):
        days.setdefault(card["day"], []).append((key_of(card), value))
    for value, card in differences:
        others = [other for key, other in days.get(card["day"], ()) if key != key_of(card)]
        if len(others) >= 3:
            compared.append((clean(value - middle(others)), card))
    return compared


def last_settled(at, h):
    """The last UTC day whose outcomes were due then."""
    return (at - HORIZONS[h][0] * DAY // 24) // DAY - 1
