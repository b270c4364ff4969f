"""What numpy and scipy say of histories, straight from the definitions, with none of the program's code: figures, `tune`,
changes of settings. Reads a history a line, as JSON: cards, answers (lines of stats.ndjson) and changes: when the settings
of type_0 changed, of no other type; writes a line for each. Argument: now. Times are epoch milliseconds."""

import json
import math
import sys

import numpy as np
from figures import FAMILY, grouped, judged, last_settled, mondays_before, stepped
from medians import DAY, HORIZONS, ByT, Clusters, Gathered, Median, against_others, base_block, clean, go_together
from medians import btc_symbols, known, millis, quantile, text_of
from scipy import stats

# Of a cluster's cards together, beside each card's own: the noise that degrees of freedom allow for.
LASTING = 0.1


def ranked(values):
    """Mid-ranks around zero."""
    n = len(values)
    return (stats.rankdata(values) - (n + 1) / 2) / (n + 1)


def correlation(cards, keys, values, h):
    """Why there is none, or the rank correlation within days and its test."""
    if len(cards) < 60:
        return "few_cards"
    days = np.array([card["day"] for card in cards])
    symbols = np.array([card["source_symbol"] for card in cards])
    a, q = np.zeros(len(cards)), np.zeros(len(cards))
    for day in np.unique(days):
        a[days == day] = ranked(np.array(values)[days == day])
        q[days == day] = ranked(np.array(keys)[days == day])
    total = float(q @ q)
    if total == 0 or not a.any():
        return "constant_within_days"
    count = len(np.unique(days))
    block = base_block(h, count)
    scores = q * (a - (a @ q) / total * q)
    base = by_days = Clusters(days // block, scores, q, LASTING)
    if go_together(base.sums):
        block = max(block, math.ceil(count / 10))
        by_days = Clusters(days // block, scores, q, LASTING)
    by_symbols = Clusters(symbols, scores, q, LASTING)
    if base.count < 12:
        return "few_days"
    if by_symbols.count < 8:
        return "few_symbols"
    if max(by_days.heaviest, by_symbols.heaviest) > 0.5:
        return "one_outweighs"
    cells = Clusters([f"{block} {symbol}" for block, symbol in zip(days // block, symbols)], scores, q)
    both = by_days.variance + by_symbols.variance - cells.variance
    variance, df = max((one.variance, one.df) for one in (by_days, by_symbols))
    if both > variance:
        variance, df = both, min(by_days.df, by_symbols.df)
    scale = math.sqrt(total * float(a @ a))
    rho, se = float(a @ q) / scale, math.sqrt(variance) / scale
    return {"rho": rho, "se": se, "df": df, "p": float(2 * stats.t.sf(abs(rho / se), df))}


def less(one, other):
    """[the difference of two medians, the same with its error: Welch and Satterthwaite, if it has one]."""
    if one.m is None or other.m is None:
        return None, None
    value, ends = clean(one.m - other.m), [one.interval(0.05), other.interval(0.05)]
    if None in ends:
        return value, None
    v = [((e[1] - e[0]) / (2 * quantile(0.025, m.df))) ** 2 for e, m in zip(ends, (one, other))]
    if sum(v) == 0:
        return value, None
    df = sum(v) ** 2 / (v[0] ** 2 / one.df + v[1] ** 2 / other.df)
    return value, ByT(value, math.sqrt(sum(v)), df, n=one.n + other.n)


class Key:
    """A number known at the trigger of some cards, or its size, and how it goes with what came after."""

    def __init__(self, name, absolute, bought, h, btc):
        given = [card for card in bought if name in card["entry_context"]]
        self.name, self.absolute, self.h, self.tests = name, absolute, h, {}
        self.pairs = known(Gathered(given, h, btc).differences)
        self.is_rare = len(given) < len(bought) / 2

    def of(self, card):
        number = card["entry_context"][self.name]
        return abs(number) if self.absolute else number

    def test(self, at=None):
        """Of what was settled at a time; by default of all."""
        if at not in self.tests:
            last = math.inf if at is None else last_settled(at, self.h)
            known = [(value, card) for value, card in self.pairs if card["day"] <= last]
            cards, values = [card for _, card in known], [value for value, _ in known]
            keys = [self.of(card) for card in cards]
            self.tests[at] = "rarely_given" if self.is_rare else correlation(cards, keys, values, self.h)
        return self.tests[at]


def keys_of(bought, h, btc):
    found = []
    for name in {name for card in bought for name in card["entry_context"]}:
        has = [card["entry_context"][name] for card in bought if name in card["entry_context"]]
        has_signs = min(sum(x > 0 for x in has), sum(x < 0 for x in has)) >= len(has) / 5
        found += [Key(name, absolute, bought, h, btc) for absolute in ((False, True) if has_signs else (False,))]
    return found


def stepped_at(family, at=None):
    tests = [one.test(at) for one in family]
    stepped([test for test in tests if isinstance(test, dict)])


def told_since(one, family, now):
    """The first Monday since which the key tells without a break, or now; None: it does not."""
    test = one.test()
    if test["p"] >= 0.05:
        return None
    since = now if test["holm"] < FAMILY else None
    for at in reversed(mondays_before(now)):
        then = one.test(at)
        if isinstance(then, str) or then["p"] >= 0.05 or then["rho"] * test["rho"] <= 0:
            break
        stepped_at(family, at)
        if then["holm"] < FAMILY:
            since = at
    return since


def questions_of(kind, cards, h, btc, now):
    """[the key, its answer as JSON, since when it tells] of each."""
    family = keys_of([card for card in cards if "context_scope" in card], h, btc)
    stepped_at(family)
    for one in family:
        test, answer = one.test(), {"type": kind, "key": one.name, "absolute": one.absolute, "horizon": h}
        answer["cards"] = len(one.pairs)
        if isinstance(test, str):
            is_constant = test == "constant_within_days"
            answer |= {"verdict": test if is_constant else "too_little", "too_little": None if is_constant else test}
            yield one, answer, None
            continue
        since, half = told_since(one, family, now), quantile(0.025, test["df"]) * test["se"]
        shows = (quantile(test["level"] / 2, test["df"]) + 0.84) * test["se"]
        answer |= {
            "correlation": test["rho"],
            "correlation_interval_95": [max(-1, test["rho"] - half), min(1, test["rho"] + half)],
            "p": test["p"],
            "p_holm": test["holm"],
            "would_show": shows if shows < 1 else None,
            "verdict": "unclear" if since is None else "higher" if test["rho"] > 0 else "lower",
            "verdict_since": None if since is None else text_of(since),
        }
        yield one, answer, since


def cuts_of(one, since, beside, per_day):
    """Stricter settings of a key that tells, for less the more it was adjusted: it was chosen for its result."""
    test, numbers = one.test(), [one.of(card) for _, card in one.pairs]
    nearer = quantile(test["holm"] / 2, test["df"]) / quantile(test["p"] / 2, test["df"])
    for value in sorted({float(np.quantile(numbers, share)) for share in (0.3, 0.5, 0.7)}):
        kept = [number >= value if test["rho"] > 0 else number <= value for number in numbers]
        if all(kept):
            continue
        alone = Median([pair for pair, is_kept in zip(one.pairs, kept) if is_kept], one.h)
        halves = []
        for side in (True, False):
            own = [card for (_, card), is_kept in zip(one.pairs, kept) if is_kept == side]
            halves.append([(beside[card["id"]], card) for card in own if card["id"] in beside])
        difference, estimate = less(*(Median(pairs, one.h) for pairs in halves))
        later = [[pair for pair in pairs if pair[1]["time"] >= since] for pairs in halves]
        after, of_after = less(*(Median(pairs, one.h) for pairs in later))
        said = {"cards": len(later[0]) + len(later[1]), "difference_percentage_points": after}
        said["interval_95"] = None if of_after is None else of_after.interval(0.05)
        yield {
            "value": value,
            "cards_per_day": per_day * sum(kept) / len(kept),
            "kept_vs_btc": alone.m,
            "kept_vs_btc_interval_95": alone.interval(0.05),
            "kept_vs_dropped": None if difference is None else difference * nearer,
            "kept_vs_dropped_interval": None if estimate is None else estimate.interval(0.05 / 3),
            "verdict_since": text_of(since),
            "since_then": said if said["cards"] else None,
        }


def tune(cards, btc, now, present_since):
    questions, cuts = [], []
    until, first = max(card["time"] for card in cards), min(card["time"] for card in cards)
    for kind in sorted({card["source_bot_type"] for card in cards}):
        begun = present_since.get(kind, -math.inf)
        own = [card for card in cards if card["source_bot_type"] == kind and card["time"] >= begun]
        times = [card["time"] for card in own]
        days = max(1, min(28, (until - max(begun, first)) / DAY))
        per_day = sum(time > until - 28 * DAY for time in times) / days
        for h in HORIZONS:
            pairs = known(Gathered(cards, h, btc).differences)
            if len({card["source_bot_type"] for _, card in pairs}) > 1:
                pairs = against_others(pairs, lambda card: card["source_bot_type"])
            beside = {card["id"]: value for value, card in pairs}
            for one, answer, since in questions_of(kind, own, h, btc, now):
                questions.append(answer)
                which = {name: answer[name] for name in ("type", "key", "absolute", "horizon")}
                if since is not None:
                    cuts += [which | cut for cut in cuts_of(one, since, beside, per_day)]
    return {"questions": questions, "cuts": cuts}


def changes(cards, times, h, btc):
    """The settings of type_0 changed at these times, of no other type; cards of the day before each are left out."""
    is_own = lambda card: card["source_bot_type"] == "type_0"
    own = [pair for pair in against_others(known(Gathered(cards, h, btc).differences), is_own) if is_own(pair[1])]
    edges, epochs = [-math.inf, *times, math.inf], []
    for since, end in zip(edges, edges[1:]):
        epochs.append(Median([(v, c) for v, c in own if since <= c["time"] <= end - (DAY if end in times else 0)], h))
    differences = [less(after, before) for before, after in zip(epochs, epochs[1:])]
    tests = judged({i: estimate for i, (_, estimate) in enumerate(differences)}, h)
    words = {"above": "higher", "below": "lower"}
    found = []
    for i, (value, estimate) in enumerate(differences):
        test = tests.get(i, {"word": "too_few_days"})
        found.append({"difference_percentage_points": value, "p_holm": test.get("holm")})
        found[-1]["difference_interval_95"] = None if estimate is None else estimate.interval(0.05)
        found[-1]["verdict"] = words.get(test["word"], test["word"])
    return found


def judge(cards, answers, times, now):
    for card in cards:
        card["time"] = millis(card["created_at"])
        card["day"] = card["time"] // DAY
    told = sorted(({"at": millis(line["asked_at"]), **line} for line in answers), key=lambda line: line["at"])
    since, btc, alone = {"type_0": max(times, default=-math.inf)}, btc_symbols(cards), {"has_others": False}
    return {
        "all": grouped(cards, now, lambda card: None, btc, **alone)[None],
        "type": grouped(cards, now, lambda card: card["source_bot_type"], btc, told, since=since),
        "symbol": grouped(cards, now, lambda card: card["source_symbol"], btc),
        "month": grouped(cards, now, lambda card: card["created_at"][:7], btc, **alone),
        "tune": tune(cards, btc, now, since),
        "changes": {h: changes(cards, times, h, btc) for h in HORIZONS},
    }


for line in sys.stdin:
    one = json.loads(line)
    print(json.dumps(judge(one["cards"], one["answers"], one["changes"], int(sys.argv[1]))), flush=True)
