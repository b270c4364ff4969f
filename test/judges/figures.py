"""The figures of outcome histories, straight from their definitions, with numpy and scipy: none of the program's code."""

import math

import numpy as np
from medians import DAY, HORIZONS, LEAST, ByT, Gathered, Median, against_others, known, middle
from medians import quantile, tail, text_of
from service import narrower, service_of, windows_of

KEYS = {
    "all": lambda card: None,
    "type": lambda card: card["source_bot_type"],
    "symbol": lambda card: card["source_symbol"],
    "month": lambda card: card["created_at"][:7],
}

# Of all groups of a family together.
FAMILY = 0.015


def share_of(differences, h, whole):
    """[the share above 0 of those that are not 0, its 95 % interval]."""
    untied = [(value > 0, card) for value, card in known(differences) if value != 0]
    if not untied:
        return None, None
    above, cards = np.array([is_above for is_above, _ in untied], dtype=float), [card for _, card in untied]
    share = float(above.mean())
    sample = Median([], h, whole)
    sample.spread(above - share, cards, share * (1 - share))
    if sample.clusters < 6 or share in (0, 1):
        return share, None
    half = quantile(0.025, sample.df) * math.sqrt(sample.variance)
    return share, [max(0, share - half), min(1, share + half)]


def figures_of(own, moves, to_btc, to_others):
    """@param own: Gathered; moves, to_btc, to_others: estimates; to_others: None if groups are not so compared"""
    n, lost = moves.n, moves.lost
    share, interval_of_share = share_of(own.differences, own.h, to_btc.whole)
    others = to_others or Median([], own.h)
    is_of_service = isinstance(to_others, ByT)
    return {
        "sample": n,
        "pending": own.pending,
        "missing": own.missing,
        "other_states": own.other,
        "without_outcome": own.without,
        "distinct_symbols": len({card["source_symbol"] for _, card in moves.pairs}),
        "distinct_days": moves.days,
        "clusters": moves.clusters,
        "cluster_days": moves.block,
        "median_move_pct": moves.m,
        "median_move_pct_interval_95": moves.interval(0.05),
        "quartiles_move_pct": [float(np.quantile(moves.x, q)) for q in (0.25, 0.75)] if n else None,
        "median_size_pct": middle(np.abs(moves.x).tolist()) if n else None,
        "missing_share": lost / (lost + n) if lost + n else None,
        "missing_move_interval_95": moves.bounds(0.05),
        "cards_of_btc": own.of_btc,
        "btc_sample": to_btc.n,
        "btc_clusters": to_btc.clusters,
        "median_vs_btc_percentage_points": to_btc.m,
        "median_vs_btc_interval_95": to_btc.interval(0.05),
        "missing_interval_95": to_btc.bounds(0.05),
        "share_above_btc": share,
        "share_above_btc_interval_95": interval_of_share,
        "p_vs_btc": to_btc.p(),
        "median_vs_others_percentage_points": others.m,
        "median_vs_others_interval_95": others.interval(0.05),
        "p_vs_others": others.p(),
        "vs_others_from": None if to_others is None else "service" if is_of_service else "bought",
        "service_windows": others.windows if is_of_service else None,
        "service_sample": others.n if is_of_service else None,
        "service_median_vs_btc_percentage_points": others.vs_btc if is_of_service else None,
    }


def stepped(tests, family=FAMILY):
    """Holm: of each test its adjusted p, and the level at which it was decided."""
    order = sorted(range(len(tests)), key=lambda i: tests[i]["p"])
    reached, level = 0.0, family
    for place, i in enumerate(order):
        if reached < family:
            level = family / (len(tests) - place)
        reached = max(reached, min(1.0, tests[i]["p"] * (len(tests) - place)))
        tests[i]["holm"], tests[i]["level"] = reached, level


def is_small(interval, least):
    return interval is not None and None not in interval and -least <= interval[0] and interval[1] <= least


def side_of(estimate, level):
    """Of 0, wherever the missing outcomes lie."""
    low, high = estimate.bounds(level) or (estimate.m, estimate.m)
    if estimate.m > 0 and low is not None and low > 0:
        return "above"
    return "below" if estimate.m < 0 and high is not None and high < 0 else None


def word_of(estimate, test, h, family, before):
    """The verdict, wherever the missing outcomes lie; a word given before stays while p is below .05."""
    if before in ("above", "below") and estimate.p() < 0.05 and side_of(estimate, 0.05) == before:
        return before
    side = side_of(estimate, test["level"])
    if side is not None and test["holm"] < family:
        return side
    intervals = estimate.interval(0.1), estimate.bounds(0.1) or estimate.interval(0.1)
    ends = estimate.interval(0.05) or [0, 0]
    has_zero = ends[0] <= 0 <= ends[1]
    return "none" if has_zero and all(is_small(one, LEAST[h]) for one in intervals) else "unclear"


def judged(estimates, h, before={}, family=FAMILY):
    """@param estimates, before: by group; before: the words of the look before
    @returns by group, its word, and its test where there are clusters enough for one"""
    known = {key: one for key, one in estimates.items() if one is not None and one.n > 0}
    tests = {key: {"p": one.p()} for key, one in known.items() if one.p() is not None}
    stepped(list(tests.values()), family)
    for key, test in tests.items():
        test["word"] = word_of(known[key], test, h, family, before.get(key))
    return {key: tests.get(key, {"word": "too_few_days"}) for key in known}


def named(word, to):
    return f"{word}_{to}" if word in ("above", "below") else word


def shows(estimate, level, df):
    """What shows with a power of 80 %; NaN if there is no interval."""
    low, high = estimate.interval(0.05) or [math.nan, math.nan]
    return (quantile(level / 2, df) + 0.84) * (high - low) / (2 * quantile(0.025, estimate.df))


def widening(estimate, level):
    """What missing outcomes add to an interval."""
    if not estimate.lost and not getattr(estimate, "beyond", 0):
        return 0
    own, wide = estimate.interval(level), estimate.bounds(level)
    if own is None or wide is None or None in wide:
        return math.inf
    return max(0, own[0] - wide[0], wide[1] - own[1])


def days_to_word(estimate, level, h):
    """Calendar days, in steps of 30 up to 180 of outcomes, until a word is likely to stand; None: not so soon."""
    ends, least = estimate.interval(0.05), LEAST[h]
    if ends is None or ends[0] == ends[1]:
        return None
    error = (ends[1] - ends[0]) / (2 * quantile(0.025, estimate.df))
    chances = {}
    for more in range(30, 180 - estimate.span + 1, 30):
        now = estimate.span / (estimate.span + more)
        # The mean of what is to come: normal around 0 before, error**2 with what is known.
        variance = 1 / (1 / least**2 + 1 / error**2)
        mean = now * estimate.m + (1 - now) * estimate.m * variance / error**2
        sd = math.sqrt((1 - now) ** 2 * (variance + error**2 * now / (1 - now)))
        df = max(1, estimate.df / now)
        far, near, inner = (quantile(a / 2, df) * error * math.sqrt(now) for a in (level, 0.05, 0.1))
        far, bound = far + widening(estimate, level), min(near, least - inner - widening(estimate, 0.1))
        chance = tail((far - mean) / sd, estimate.df) + tail((far + mean) / sd, estimate.df)
        if bound > 0:
            chance += 1 - tail((bound - mean) / sd, estimate.df) - tail((bound + mean) / sd, estimate.df)
        chances[more] = chance
    likely = [more for more, chance in chances.items() if chance >= 0.75]
    if not likely and chances and chances[max(chances)] >= 0.5:
        return max(chances)
    return min(likely, default=None)


def next_medians(kind, cards, answers, now):
    """When exports, two days late at most, ask for a type's medians next; None: not, as far as is known."""
    recent = [card for card in cards if card["source_bot_type"] == kind and card["time"] > now - 30 * DAY]
    asked = [one["at"] for one in windows_of(kind, [one for one in answers if one["at"] <= now + DAY])]
    begun = min(card["time"] for card in cards) + 29 * DAY
    following = min(now, asked[-1]) + 30 * DAY if asked else now + math.ceil((begun - now) / DAY) * DAY
    return None if len(recent) < 8 or following + 2 * DAY < now else max(now, following)


def wait_of(estimate, level, h, now, sitting):
    """When a word is likely; None if it is not. Medians come every 30 days from the next sitting on."""
    more = days_to_word(estimate, level, h)
    if more is None:
        return None
    if not isinstance(estimate, ByT) or sitting is None:
        return now + more * DAY
    late = estimate.asked + more * DAY - sitting
    return sitting + max(0, math.ceil((late - DAY / 24) / (30 * DAY))) * 30 * DAY


class Groups:
    """Cards by type, symbol, month, or all together, at one horizon: what each is compared with, and what decides."""

    def __init__(self, cards, h, by, btc, since={}):
        """@param since: the first moment of a type's present settings"""
        key_of = KEYS[by]
        self.h, self.by, self.keys = h, by, sorted({key_of(card) for card in cards})
        present = {key: [] for key in self.keys}
        for card in cards:
            present[key_of(card)] += [card] if card["time"] >= since.get(key_of(card), -math.inf) else []
        self.own = {key: Gathered(own, h, btc) for key, own in present.items()}
        self.pairs, self.has_others = Gathered(cards, h, btc).differences, by in ("type", "symbol")
        whole = Gathered([card for own in present.values() for card in own], h, btc)
        self.moves = block = 1
        if by != "all":
            self.moves, block = Median(whole.moves, h).block, Median(whole.differences, h).block
        self.to_btc = {key: Median(own.differences, h, block) for key, own in self.own.items()}
        self.bought = {key: None for key in self.keys}
        if self.has_others:
            beside = against_others(self.pairs, key_of)
            for key, own in present.items():
                ids = {card["id"] for card in own}
                self.bought[key] = Median([pair for pair in beside if pair[1]["id"] in ids], h)

    def decide(self, services, sources={}):
        """@param services: the service's estimates; sources: what decided until now"""
        self.to_others, self.deciding = {}, {}
        for key, bought in self.bought.items():
            service, source = services.get(key), sources.get(key)
            is_best = source == "service" if service and source else narrower(bought, service) is service
            best = service if service and is_best else bought
            self.to_others[key] = best
            self.deciding[key] = best if best and best.n else self.to_btc[key]

    def figures(self, now, sittings):
        """By group; judged. @param sittings: the next one of each"""
        found = {}
        for key, own in self.own.items():
            moves = Median(own.moves, self.h, self.moves)
            found[key] = figures_of(own, moves, self.to_btc[key], self.to_others[key])
            found[key]["others_sample"] = self.bought[key].n if self.has_others else None
        for to, word, estimates in (("btc", "verdict", self.to_btc), ("others", "verdict_vs_others", self.to_others)):
            tests = judged(estimates, self.h)
            for key, f in found.items():
                test = tests.get(key, {})
                level = test.get("level")
                f[word] = named(test.get("word"), to)
                f[f"p_vs_{to}_holm"] = test.get("holm")
                f[f"median_vs_{to}_interval_holm"] = None if level is None else estimates[key].interval(level)
        tests = judged(self.deciding, self.h)
        for key, f in found.items():
            one, test = self.deciding[key], tests.get(key, {})
            level, word = test.get("level"), test.get("word")
            would_show = math.nan if level is None else shows(one, level, one.df)
            is_waiting = word == "unclear" and self.by != "month" and self.h == "24h"
            until = wait_of(one, level, self.h, now, sittings[key]) if is_waiting else None
            f |= {
                "shown_clusters": one.clusters,
                "weak": one.clusters < 12,
                "would_show_percentage_points": None if math.isnan(would_show) else would_show,
                "shown_verdict": named(word, "btc" if one is self.to_btc[key] else "others") if self.h == "24h" else None,
                "days_until_least_shows": (until - now) / DAY if until else None,
                "verdict_since": None,
                "since_then": None,
            }
        return found


def grouped(cards, now, by, btc, answers=(), since={}):
    """By group and horizon: one look, without a notebook."""
    found = {}
    for h in HORIZONS:
        groups = Groups(cards, h, by, btc, since)
        groups.decide(service_of(answers, cards, known(groups.pairs), h, btc, since) if answers else {})
        keys = groups.keys
        sittings = {key: next_medians(key, cards, answers, now) if by == "type" else None for key in keys}
        for key, figures in groups.figures(now, sittings).items():
            own = groups.own[key].cards
            due = [card for card in own if card["time"] + DAY <= now]
            share = sum("context_scope" in card for card in due) / len(due) if due else None
            figures["next_medians_at"] = text_of(sittings[key]) if sittings[key] else None
            found.setdefault(key, {"rows": len(own), "bought_share": share, "horizons": {}})["horizons"][h] = figures
    return found
