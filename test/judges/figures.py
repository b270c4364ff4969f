"""The figures of outcome histories, straight from their definitions, with numpy and scipy: none of the program's code."""

import math

import numpy as np
from medians import DAY, HORIZONS, LEAST, ByT, Gathered, Median, against_others, known, last_settled, middle
from medians import quantile, text_of
from service import narrower, service_of

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
        "missing": lost,
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


def word_of(estimate, holm, h, family, before):
    """The verdict, wherever the missing outcomes lie; a word given before stays while p is below .05."""
    low, high = estimate.bounds(0.05) or (estimate.m, estimate.m)
    side = None
    if estimate.m > 0 and low is not None and low > 0:
        side = "above"
    if estimate.m < 0 and high is not None and high < 0:
        side = "below"
    if side is not None and (holm < family or before == side and estimate.p() < 0.05):
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
        test["word"] = word_of(known[key], test["holm"], h, family, before.get(key))
    return {key: tests.get(key, {"word": "too_few_days"}) for key in known}


def named(word, to):
    return f"{word}_{to}" if word in ("above", "below") else word


def shows(estimate, level, df):
    """What shows with a power of 80 %; NaN if there is no interval."""
    low, high = estimate.interval(0.05) or [math.nan, math.nan]
    return (quantile(level / 2, df) + 0.84) * (high - low) / (2 * quantile(0.025, estimate.df))


def days_until(estimate, level, h):
    """How many calendar days more until LEAST would show."""
    days = estimate.span
    for _ in range(10):
        df = max(1, estimate.df * days / estimate.span)
        days = estimate.span * (shows(estimate, level, df) / LEAST[h]) ** 2
    return max(0, days - estimate.span)


def mondays_before(now):
    """26 of them; 1970 began on a Thursday."""
    monday = (now // DAY - 4) // 7 * 7 + 4
    return [at for at in ((monday - 7 * week) * DAY for week in range(25, -1, -1)) if at < now]


def sittings_of(answers):
    """The end of each sitting: answers within a day."""
    ends, begun = [], -math.inf
    for answer in answers:
        if answer["at"] - begun <= DAY:
            ends.pop()
        else:
            begun = answer["at"]
        ends.append(answer["at"])
    return ends


class Groups:
    """Cards by a key (None: all together), at one horizon: what each is compared with, now and at looks at the past."""

    def __init__(self, cards, h, key_of, btc, answers=(), since={}, has_others=True):
        self.cards, self.h, self.key_of, self.btc, self.since, self.has_others = cards, h, key_of, btc, since, has_others
        self.answers, self.known_by_sitting = list(answers), {}
        self.keys = sorted({key_of(card) for card in cards})
        self.own = {key: Gathered(self.present(key), h, btc) for key in self.keys}
        self.pairs = Gathered(cards, h, btc).differences
        self.beside = against_others(self.pairs, key_of) if has_others else []
        self.compared = {key: self.compared_of(key) for key in self.keys}
        whole = Gathered([card for own in self.own.values() for card in own.cards], h, btc)
        self.moves = self.block = 1
        if self.keys != [None]:
            self.moves, self.block = Median(whole.moves, h).block, Median(whole.differences, h).block

    def present(self, key):
        return [c for c in self.cards if self.key_of(c) == key and c["time"] >= self.since.get(key, -math.inf)]

    def compared_of(self, key):
        """Own cards beside the others of their day."""
        ids = {card["id"] for card in self.own[key].cards}
        return [pair for pair in self.beside if pair[1]["id"] in ids]

    def to_btc(self, key, until=math.inf):
        return Median([pair for pair in self.own[key].differences if pair[1]["day"] <= until], self.h, self.block)

    def to_others(self, key, at, until=math.inf):
        pairs = [pair for pair in self.compared[key] if pair[1]["day"] <= until]
        return narrower(Median(pairs, self.h), self.services(at).get(key))

    def services(self, at):
        """The service's estimates, of what was known when it was asked last."""
        sitting = max((end for end in sittings_of(self.answers) if end <= at), default=None)
        if sitting not in self.known_by_sitting:
            told = [one for one in self.answers if one["at"] <= (sitting or 0)]
            self.known_by_sitting[sitting] = service_of(told, self.cards, known(self.pairs), self.h, self.btc, self.since)
        return self.known_by_sitting[sitting]

    def shown(self, at=None, now=0):
        """What decides: the comparison with others, if there is one now."""
        until = math.inf if at is None else last_settled(at, self.h)
        found = {}
        for key in self.keys:
            has_others = known(self.compared[key])
            found[key] = self.to_others(key, at or now, until) if has_others else self.to_btc(key, until)
        return found

    def figures(self, now):
        """By group; judged."""
        to_btc = {key: self.to_btc(key) for key in self.keys}
        to_others = {key: self.to_others(key, now) if self.has_others else None for key in self.keys}
        found = {}
        for key, own in self.own.items():
            moves = Median(own.moves, self.h, self.moves)
            found[key] = figures_of(own, moves, to_btc[key], to_others[key])
            found[key]["others_sample"] = len(known(self.compared[key])) if self.has_others else None
        for to, word, estimates in (("btc", "verdict", to_btc), ("others", "verdict_vs_others", to_others)):
            tests = judged(estimates, self.h)
            for key, f in found.items():
                test = tests.get(key, {})
                level = test.get("level")
                f[word] = named(test.get("word"), to)
                f[f"p_vs_{to}_holm"] = test.get("holm")
                f[f"median_vs_{to}_interval_holm"] = None if level is None else estimates[key].interval(level)
        deciding = self.shown(now=now)
        tests = judged(deciding, self.h)
        for key, f in found.items():
            one, level = deciding[key], tests.get(key, {}).get("level")
            would_show = math.nan if level is None else shows(one, level, one.df)
            f |= {"weak": one.clusters < 12, "would_show_percentage_points": None if math.isnan(would_show) else would_show}
        return found

    def past(self, now):
        """The verdicts shown, since when they stand, and what came after."""
        times = sorted({*mondays_before(now), *(end for end in sittings_of(self.answers) if end < now)})
        words, tests = [{}], {}
        for at in [*times, None]:
            deciding = self.shown(at, now)
            tests = judged(deciding, self.h, words[-1])
            words.append({key: test["word"] for key, test in tests.items()})
        found = {}
        for key in self.keys:
            if not known(self.compared[key]):
                continue
            word = words[-1].get(key)
            f = found[key] = {"shown_verdict": named(word, "others"), "verdict_since": None, "since_then": None}
            f["days_until_least_shows"] = None
            if word == "unclear":
                f["days_until_least_shows"] = days_until(deciding[key], tests[key]["level"], self.h)
            if word in ("above", "below", "none"):
                stands = [one.get(key) == word for one in words[1:]]
                first = max((i + 1 for i, one in enumerate(stands) if not one), default=0)
                since = [*times, now][first]
                after = Median([pair for pair in self.compared[key] if pair[1]["time"] >= since], self.h)
                said = {"cards": after.n, "difference_percentage_points": after.m, "interval_95": after.interval(0.05)}
                f |= {"verdict_since": text_of(since), "since_then": said if after.n else None}
        return found


def grouped(cards, now, key_of, btc, answers=None, **options):
    """By group and horizon. @param answers: None without looks at the past"""
    by_horizon = {h: Groups(cards, h, key_of, btc, answers or (), **options) for h in HORIZONS}
    found = {}
    for h, groups in by_horizon.items():
        figures = groups.figures(now)
        past = groups.past(now) if answers is not None and h == "24h" else {}
        for key in groups.keys:
            own = groups.own[key].cards
            due = [card for card in own if card["time"] + 25 * 3_600_000 <= now]
            share = sum("context_scope" in card for card in due) / len(due) if due else None
            one = found.setdefault(key, {"rows": len(own), "bought_share": share, "horizons": {}})
            one["horizons"][h] = figures[key] | past.get(key, {})
    return found
