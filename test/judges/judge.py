"""What numpy and scipy say of histories, straight from the definitions, with none of the program's code: figures, `tune`,
changes of settings, and what exports write into the notebook. Reads a history a line, as JSON: cards, answers (lines of
stats.ndjson), changes: when the settings of type_0 changed, of no other type; mornings of exports: when, and what stands in
the notebook besides. Writes a line for each. Argument: now. Times are epoch milliseconds."""

import json
import math
import sys
from decimal import ROUND_HALF_UP, Context

import numpy as np
from figures import Groups, grouped, judged, next_medians, stepped, wait_of
from medians import DAY, HORIZONS, ByT, Clusters, Gathered, Median, against_others, base_block, btc_symbols, clean
from medians import go_together, known, last_settled, millis, quantile, tail, text_of
from scipy import stats
from service import service_of

# Of a cluster's cards together, beside each card's own: the noise that degrees of freedom allow for.
LASTING = 0.1

# Of all numbers of all types together.
FAMILY = 0.05


def ranked(values, days):
    """Mid-ranks within days, around zero."""
    places = stats.rankdata(days * (len(values) + 1) + stats.rankdata(values, "dense"))
    ordered = np.sort(days)
    before, until = np.searchsorted(ordered, days), np.searchsorted(ordered, days, "right")
    n = until - before
    return (places - before - (n + 1) / 2) / (n + 1)


def correlation(cards, keys, values, h):
    """Why there is none, or the rank correlation within days and its test."""
    if len(cards) < 60:
        return "few_cards"
    days = np.array([card["day"] for card in cards])
    symbols = np.array([card["source_symbol"] for card in cards])
    a, q = ranked(values, days), ranked(keys, days)
    total = float(q @ q)
    if total == 0 or not a.any():
        return "constant_within_days"
    count = len(np.unique(days))
    block = base_block(h, count)
    scores = q * (a - (a @ q) / total * q)
    base = by_days = Clusters(days // block, scores, q, LASTING)
    if go_together(base.sums):
        block = max(block, count // 12)
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
    return {"rho": rho, "se": se, "df": df, "p": 2 * tail(abs(rho / se), df)}


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

    def __init__(self, name, absolute, has_sides, bought, h, btc):
        given = [card for card in bought if name in card.get("entry_context", {})]
        self.name, self.absolute, self.has_sides, self.h = name, absolute, has_sides and not absolute, h
        self.pairs = known(Gathered(given, h, btc).differences)
        cards, values = [card for _, card in self.pairs], [value for value, _ in self.pairs]
        is_rare = len(given) < len(bought) / 2
        self.test = "rarely_given" if is_rare else correlation(cards, [self.of(card) for card in cards], values, h)

    def of(self, card):
        number = card["entry_context"][self.name]
        return abs(number) if self.absolute else number


def numbers_of(cards, h, btc, found=()):
    """@param found: [name, absolute] of those that are asked in any case"""
    bought, numbers = [card for card in cards if "context_scope" in card], []
    for name in {name for card in bought for name in card.get("entry_context", {})}:
        has = [card["entry_context"][name] for card in bought if name in card.get("entry_context", {})]
        has_signs = min(sum(x > 0 for x in has), sum(x < 0 for x in has)) >= len(has) / 5
        sizes = (False, True) if has_signs or (name, True) in found else (False,)
        numbers += [Key(name, absolute, has_signs, bought, h, btc) for absolute in sizes]
    return numbers


def adjusted(asked):
    """Those of all types, by Holm. @param asked: [type, cards a day, number] of each"""
    stepped([one.test for _, _, one in asked if isinstance(one.test, dict)], FAMILY)
    return asked


def side_of(one):
    return "higher" if one.test["rho"] > 0 else "lower"


def passes(one):
    """The side on which it passes among all numbers of all types."""
    return side_of(one) if not isinstance(one.test, str) and one.test["holm"] < FAMILY else None


def question_of(one, word, purchases, now):
    test, answer = one.test, {"key": one.name, "absolute": one.absolute, "horizon": one.h, "cards": len(one.pairs)}
    if isinstance(test, str):
        is_constant = test == "constant_within_days"
        by = focus_brings_by(len(one.pairs), purchases, now) if test == "few_cards" else None
        why = {"verdict": test if is_constant else "too_little", "too_little": None if is_constant else test}
        return answer | why | {"focus_brings_by": by}
    half, shows = quantile(0.025, test["df"]) * test["se"], (quantile(test["level"] / 2, test["df"]) + 0.84) * test["se"]
    low, high = test["rho"] - half, test["rho"] + half
    return answer | {
        "correlation": test["rho"],
        "correlation_interval_95": None if low <= -1 or high >= 1 else [low, high],
        "p": test["p"],
        "p_holm": test["holm"],
        "would_show": shows if shows < 1 else None,
        "verdict": word or "unclear",
        "verdict_since": None,
        "focus_brings_by": None,
    }


def purchases_of(cards, present_since, due):
    """[bought, not bought, bought a day, of all types, cards a day] by type, of due outcomes."""
    cards, recent, found = [card for card in cards if card["time"] <= due], lambda card: card["time"] > due - 28 * DAY, {}
    bought = lambda card: "context_scope" in card
    for kind in {card["source_bot_type"] for card in cards}:
        since = present_since.get(kind)
        own = [card for card in cards if card["source_bot_type"] == kind and (since is None or card["time"] >= since)]
        days = max(1, (due - max(due - 28 * DAY, since or 0)) / DAY)
        found[kind] = [
            sum(map(bought, own)),
            len(own) - sum(map(bought, own)),
            sum(bought(card) and recent(card) for card in own) / days,
            sum(bought(card) and recent(card) for card in cards) / 28,
            sum(map(recent, own)) / days,
        ]
    return found


def focus_brings_by(count, purchases, now):
    """When 60 outcomes are there if this type is bought first."""
    if purchases is None:
        return None
    bought, unbought, a_day, of_all, listed = purchases
    missing = (60 - count) / (min(1, count / bought) if bought and count else 1)
    if a_day * 60 >= missing:
        return None
    over = lambda part, rate: part / rate if rate else math.inf
    days = max(over(missing, of_all), 1 + over(missing - unbought, listed) if missing > unbought else 0)
    return text_of(now + math.ceil(days) * DAY) if days <= 180 else None


def two_digits(value):
    return float(Context(prec=2, rounding=ROUND_HALF_UP).create_decimal(float(f"{value:.12g}")))


def cuts_of(one, word, beside, per_day):
    """Stricter settings of a number that tells, for less the more it was adjusted: it was chosen for its result."""
    test, numbers = one.test, [one.of(card) for _, card in one.pairs]
    nearer = quantile(test["holm"] / 2, test["df"]) / quantile(test["p"] / 2, test["df"])
    shares, found = {}, []
    for share in (0.3, 0.5, 0.7):
        shares.setdefault(two_digits(float(np.quantile(numbers, share))), share)
    if one.has_sides and 0 not in shares:
        below = sum(number < 0 for number in numbers) / len(numbers)
        shares.pop(min(shares, key=lambda value: abs(shares[value] - below)))
        shares[0.0] = below
    values = list(shares)
    keeps = lambda value: [number >= value if word == "higher" else number <= value for number in numbers]
    values = [value for value in values if any(keeps(value)) and not all(keeps(value))]
    for value in sorted(values, reverse=word == "lower"):
        kept = keeps(value)
        alone = Median([pair for pair, is_kept in zip(one.pairs, kept) if is_kept], one.h)
        whole = float(np.median([value for value, _ in one.pairs]))
        halves = []
        for side in (True, False):
            own = [card for (_, card), is_kept in zip(one.pairs, kept) if is_kept == side]
            halves.append([(beside[card["id"]], card) for card in own if card["id"] in beside])
        halves = [Median(pairs, one.h) for pairs in halves]
        difference, estimate = less(*halves)
        interval = None if estimate is None else estimate.interval(test["level"])
        found.append({
            "value": value,
            "kept_vs_others": halves[0].m,
            "kept_vs_others_interval_95": halves[0].interval(0.05),
            "dropped_vs_others": halves[1].m,
            "dropped_vs_others_interval_95": halves[1].interval(0.05),
            "cards_per_day": per_day * sum(kept) / len(kept),
            "kept_vs_btc": alone.m,
            "kept_vs_btc_interval_95": alone.interval(0.05),
            "kept_vs_btc_lowered": whole + (alone.m - whole) * nearer,
            "kept_vs_dropped": difference,
            "kept_vs_dropped_interval": interval,
            "verdict_since": None,
            "since_then": None,
        })
    clear = [cut for cut in found if cut["kept_vs_dropped_interval"] and cut["kept_vs_dropped_interval"][0] > 0]
    clear.sort(key=lambda cut: not (cut["value"] == 0 and one.has_sides))
    return [cut | {"is_advice": cut is (clear or [None])[0]} for cut in found]


def beside_others(cards, h, btc):
    pairs = known(Gathered(cards, h, btc).differences)
    if len({card["source_bot_type"] for _, card in pairs}) > 1:
        pairs = against_others(pairs, lambda card: card["source_bot_type"])
    return {card["id"]: value for value, card in pairs}


def by_type(cards, present_since, until):
    """[type, its cards under the present settings, cards a day] of each."""
    first = min((card["time"] for card in cards), default=until)
    for kind in sorted({card["source_bot_type"] for card in cards}):
        begun = present_since.get(kind, -math.inf)
        own = [card for card in cards if card["source_bot_type"] == kind and card["time"] >= begun]
        days = max(1, min(28, (until - max(begun, first)) / DAY))
        yield kind, own, sum(card["time"] > until - 28 * DAY for card in own) / days


def tune(cards, btc, present_since, now):
    """One look: a number tells only with a cut that is the advice."""
    questions, cuts, until = [], [], max(card["time"] for card in cards)
    purchases = purchases_of(cards, present_since, now - DAY)
    for h in HORIZONS:
        types, beside = by_type(cards, present_since, until), beside_others(cards, h, btc)
        asked = adjusted([(kind, per_day, one) for kind, own, per_day in types for one in numbers_of(own, h, btc)])
        for kind, per_day, one in asked:
            word = passes(one)
            found = cuts_of(one, word, beside, per_day) if word else []
            if not any(cut["is_advice"] for cut in found):
                word, found = None, []
            question = {"type": kind, **question_of(one, word, purchases.get(kind), now)}
            questions.append(question)
            which = {name: question[name] for name in ("type", "key", "absolute", "horizon")}
            cuts += [which | cut for cut in found]
    return {"questions": questions, "cuts": cuts}


def last_of(lines, about, *names):
    """Of each thing the notebook's last line, oldest first."""
    return {tuple(line[name] for name in names): line for line in lines if line["about"] == about}


def lines_of_numbers(cards, settled, now, since, begun, notebook):
    """@param since: when present settings began, begun: the same in the notebook's words"""
    last = last_of(notebook, "number", "type", "number", "absolute")
    told = {which: line for which, line in last.items() if line["settings_since"] == begun.get(which[0])}
    btc, asked, lines, clear = btc_symbols(settled), [], [], set()
    beside = beside_others(settled, "24h", btc)
    for kind, own, per_day in by_type(cards, since, now):
        found = {which[1:] for which, line in told.items() if which[0] == kind and is_found(line)}
        own = [card for card in own if card["day"] <= last_settled(now, "24h")]
        asked += [(kind, per_day, one) for one in numbers_of(own, "24h", btc, found)]
    for kind, per_day, one in adjusted(asked):
        which = (kind, one.name, one.absolute)
        old = told.get(which)
        if old and is_found(old) and not isinstance(one.test, str):
            if one.test["p"] < 0.05 and side_of(one) == old["verdict"]:
                clear.add(which)
                continue
        word = passes(one)
        cuts = cuts_of(one, word, beside, per_day) if word else []
        best = next((cut for cut in cuts if cut["is_advice"]), None)
        if best is None:
            continue
        clear.add(which)
        line = {"type": kind, "number": one.name, "absolute": one.absolute, "verdict": word}
        line["cut"] = {"at_least" if word == "higher" else "at_most": best["value"]}
        lines.append(line | {name: best[name] for name in ("cards_per_day", "kept_vs_btc", "kept_vs_dropped")})
    for which, line in last.items():
        nothing = dict.fromkeys(("cut", "cards_per_day", "kept_vs_btc", "kept_vs_dropped"))
        lines += [line | nothing | {"verdict": "unclear"}] if is_found(line) and which not in clear else []
    return [line | {"about": "number", "settings_since": begun.get(line["type"])} for line in lines]


def is_found(line):
    """Only with its cut; earlier programs wrote numbers without."""
    return line["verdict"] != "unclear" and line["cut"] is not None


def lines_of_medians(cards, answers, since, notebook):
    """After a sitting and after a change of settings, and when no answer is of the days that are judged."""
    btc, times, lines = btc_symbols(cards), [*(one["at"] for one in answers), *since.values()], []
    for h in HORIZONS:
        last = last_of(notebook, "medians", "horizon").get((h,))
        is_new = last is None or max(times, default=0) > millis(last["at"])
        if not (is_new if answers else last and last["types"]):
            continue
        found = service_of(answers, cards, known(Gathered(cards, h, btc).differences), h, btc, since) if answers else {}
        if found or last:
            lines.append({"about": "medians", "horizon": h, "types": found})
    return lines


def lines_of_types(settled, answers, now, since, begun, notebook, is_new):
    last = {which[0]: line for which, line in last_of(notebook, "type", "type").items()}
    medians = last_of(notebook, "medians", "horizon").get(("24h",), {"types": {}})
    groups, lines = Groups(settled, "24h", "type", btc_symbols(settled), since), []
    groups.decide(medians["types"], {} if is_new else {kind: line["source"] for kind, line in last.items()})
    told = {kind: line for kind, line in last.items() if line["settings_since"] == begun.get(kind)}
    to = {kind: "btc" if one is groups.to_btc[kind] else "others" for kind, one in groups.deciding.items()}
    words = {kind: told[kind]["verdict"] for kind in told if told[kind]["to"] == to.get(kind)}
    tests = judged(groups.deciding, "24h", words)
    vs_btc = judged(groups.to_btc, "24h", {kind: line["vs_btc"] for kind, line in told.items()})
    for kind, one in groups.deciding.items():
        old, word = told.get(kind), tests.get(kind, {"word": None})["word"]
        line = {"type": kind, "verdict": word, "to": to[kind], "shows_at": None}
        line["vs_btc"] = vs_btc.get(kind, {"word": None})["word"]
        line["source"] = "service" if isinstance(one, ByT) else "bought"
        if word == "unclear":
            is_same = not is_new and old is not None and old["verdict"] == "unclear"
            if is_same and now < (millis(old["shows_at"]) if old["shows_at"] else millis(old["at"]) + 30 * DAY):
                line["shows_at"] = old["shows_at"]
            else:
                sitting = next_medians(kind, settled, answers, now)
                until = wait_of(one, tests[kind]["level"], "24h", now, sitting)
                line["shows_at"] = until and text_of(math.ceil(until / 1000) * 1000)
        if old is None and word is None and last.get(kind, {"verdict": None})["verdict"] is None:
            continue
        if old and all(line[name] == old[name] for name in ("verdict", "to", "vs_btc", "source", "shows_at")):
            continue
        of_btc = to[kind] == "btc"
        line["sample"] = len(known(groups.own[kind].moves)) if of_btc else one.n
        lines.append(line | {"difference_percentage_points": one.m, "interval_95": one.interval(0.05)})
        lines[-1]["settings_since"] = begun.get(kind)
    gone = [line for kind, line in last.items() if kind not in groups.keys and line["verdict"] is not None]
    lines += [line | dict.fromkeys(("verdict", "vs_btc", "shows_at")) for line in gone]
    return [line | {"about": "type"} for line in lines]


def lines_at(now, cards, answers, times, notebook):
    """What an export would write into the notebook of what is known then."""
    first = now - 180 * DAY
    cards = sorted((card for card in cards if first <= card["time"] <= now), key=lambda card: card["time"])
    settled = [card for card in cards if card["day"] <= last_settled(now, "24h")]
    answers = [one for one in answers if first + 30 * DAY <= one["at"] <= now]
    since = {"type_0": time for time in times if time <= now}
    begun = {kind: text_of(time) for kind, time in since.items()}
    medians = lines_of_medians(cards, answers, since, notebook)
    types = lines_of_types(settled, answers, now, since, begun, notebook + medians, len(medians) > 0)
    lines = [*medians, *types, *lines_of_numbers(cards, settled, now, since, begun, notebook)]
    return [line | {"at": text_of(now)} for line in lines]


def printed(line):
    """A line as the notebook has it."""
    if line["about"] != "medians":
        return line
    types = {kind: median_of(one) for kind, one in line["types"].items()}
    return line | {"types": types | {"length": len(types)}}


def median_of(one):
    return {
        **{"difference_percentage_points": one.m, "standard_error": one.error, "degrees_of_freedom": one.df},
        **{"asked_at": text_of(one.asked), "sample": one.n, "windows": one.windows, "clusters": one.clusters},
        **{"missing_percentage_points": one.lost, "missing_beyond_others_percentage_points": one.beyond},
        **{"median_vs_btc_percentage_points": one.vs_btc},
    }


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


def judge(cards, answers, times, mornings):
    for card in cards:
        card["time"] = millis(card["created_at"])
        card["day"] = card["time"] // DAY
    told = sorted(({"at": millis(line["asked_at"]), **line} for line in answers), key=lambda line: line["at"])
    noted, notebook = [], []
    for morning in mornings:
        notebook += morning["found"]
        noted.append(lines_at(morning["now"], cards, told, times, notebook))
        notebook += noted[-1]
    now, since, btc = int(sys.argv[1]), {"type_0": time for time in times}, btc_symbols(cards)
    return {
        "all": grouped(cards, now, "all", btc)[None],
        "type": grouped(cards, now, "type", btc, told, since),
        "symbol": grouped(cards, now, "symbol", btc),
        "month": grouped(cards, now, "month", btc),
        "tune": tune(cards, btc, since, now),
        "noted": [[printed(line) for line in lines] for lines in noted],
        "changes": {h: changes(cards, times, h, btc) for h in HORIZONS},
    }


for line in sys.stdin:
    one = json.loads(line)
    result = judge(one["cards"], one["answers"], one["changes"], one["mornings"])
    print(json.dumps(result), flush=True)
