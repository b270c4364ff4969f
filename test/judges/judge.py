"""What numpy and scipy say of histories, straight from the definitions, with none of the program's code: figures, `tune`,
changes of settings, and what exports write into the notebook. Reads a history a line, as JSON: cards, answers (lines of
stats.ndjson), changes: when the settings of type_0 changed, of no other type; mornings of exports: when, and what stands in
the notebook besides. Writes a line for each. Argument: now. Times are epoch milliseconds."""

import json
import math
import sys
from collections import Counter
from datetime import datetime, timezone
from decimal import ROUND_HALF_UP, Context

import numpy as np
from beta import Betas
from figures import Groups, grouped, less, next_medians, wait_of
from medians import DAY, HORIZONS, LEAST, OF_CHANGES, THREE_ERRORS, TWO_ERRORS, ByT, Clusters, Gathered, Median, against_others
from medians import base_block, btc_symbols, clean, go_together, known, last_settled, middle, millis, quantile, tail, text_of
from picks import picks_of
from rule import less_of
from rule import word_of as word_by_rule
from service import service_of

# Of a cluster's cards together, beside each card's own: the noise that degrees of freedom allow for.
LASTING = 0.1

# Of all numbers of all types together.
FAMILY = 0.05


def stepped(tests):
    """Holm: of each test its adjusted p, and the level at which it was decided."""
    order = sorted(range(len(tests)), key=lambda i: clean(tests[i]["p"]))
    reached, level = 0.0, FAMILY
    for place, i in enumerate(order):
        if reached < FAMILY:
            level = FAMILY / (len(tests) - place)
        reached = max(reached, min(1.0, tests[i]["p"] * (len(tests) - place)))
        tests[i]["holm"], tests[i]["level"] = reached, level


def mid_ranks(values):
    """From 1 on; equal values share the mean of their places."""
    ordered = np.sort(values)
    return (np.searchsorted(ordered, values) + np.searchsorted(ordered, values, "right") + 1) / 2


def ranked(values, days):
    """Mid-ranks within days, around zero."""
    _, distinct = np.unique(values, return_inverse=True)
    places = mid_ranks(days * (len(values) + 1) + distinct)
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
    stepped([one.test for _, _, one in asked if isinstance(one.test, dict)])
    return asked


def side_of(one):
    return "higher" if one.test["rho"] > 0 else "lower"


def passes(one):
    """The side on which it passes among all numbers of all types."""
    return side_of(one) if not isinstance(one.test, str) and one.test["holm"] < FAMILY else None


def halves_apart(rho, one):
    """How far apart the halves by the number are at that correlation within days: of tau .282 d/sigma, and rho 1.5 tau."""
    moves = [value for value, _ in one.pairs]
    sigma = (np.quantile(moves, 0.75) - np.quantile(moves, 0.25)) / 1.349
    n = max(2, len(moves) / len({card["day"] for _, card in one.pairs}))
    tau = 1 / math.sqrt(4 * math.pi)
    return rho * sigma * (n + 1) / (3 * tau + (n - 2) * 1.5 * tau)


def question_of(one, word, purchases, enough, now):
    test, answer = one.test, {"key": one.name, "absolute": one.absolute, "horizon": one.h, "cards": len(one.pairs)}
    if isinstance(test, str):
        is_constant = test == "constant_within_days"
        why = {"verdict": test if is_constant else "too_little", "too_little": None if is_constant else test}
        pairs = len(one.pairs) - len({card["day"] for _, card in one.pairs})
        can_come = pairs < 12 if is_constant else test in ("few_cards", "few_days")
        return answer | why | (need_of(one, purchases, enough, now) if can_come else NOTHING)
    half, shows = quantile(0.025, test["df"]) * test["se"], (quantile(test["level"] / 2, test["df"]) + 0.84) * test["se"]
    low, high = test["rho"] - half, test["rho"] + half
    can_come = word is None
    return answer | {
        "correlation": test["rho"],
        "correlation_interval_95": None if low <= -1 or high >= 1 else [low, high],
        "p": test["p"],
        "p_holm": test["holm"],
        "would_show": shows if shows < 1 else None,
        "would_show_percentage_points": halves_apart(shows, one) if shows < 1 else None,
        "verdict": word or "unclear",
        "verdict_since": None,
    } | (need_of(one, purchases, enough, now) if can_come else NOTHING)


# A larger correlation is hardly ever there.
PLAUSIBLE = 0.5

NOTHING = {"needs": None, "needed": None, "enough_by": None, "focus_brings_by": None}

# Days of cards that are judged.
LONGEST = 180


def enough_of(tests, h):
    """[outcomes less days, days] with which a correlation of .5 shows in four of five cases."""
    errors = quantile(FAMILY / max(1, tests) / 2, 20) + 0.84
    return [1.8 * (errors / PLAUSIBLE) ** 2, 12 * (2 if h == "24h" else 1)]


def purchases_of(cards, present_since, due, in_focus):
    """By type, of due outcomes. @param in_focus: types that exports buy first"""
    cards, recent, found = [card for card in cards if card["time"] <= due], lambda card: card["time"] > due - 28 * DAY, {}
    is_bought = lambda card: "context_scope" in card
    first = min((card["time"] for card in cards), default=due)
    begin = max(due - 28 * DAY, first)
    of_all = sum(is_bought(card) and recent(card) for card in cards) / max(1, (due - begin) / DAY)
    for kind in {card["source_bot_type"] for card in cards}:
        since = max(first, present_since.get(kind) or first)
        own = [card for card in cards if card["source_bot_type"] == kind and card["time"] >= since]
        days, bought = max(1, (due - max(begin, since)) / DAY), sum(map(is_bought, own))
        is_silent = all(card["time"] <= due - 14 * DAY for card in cards if card["source_bot_type"] == kind)
        to_buy = len(own) - bought + (0 if is_silent else 60 * sum(map(recent, own)) / days)
        days_of_cards = len({card["time"] // DAY for card in own})
        length = max(1, (due - since) / DAY)
        found[kind] = {"bought": bought, "cards": len(own), "to_buy": to_buy, "days": length, "days_of_cards": days_of_cards}
    late = [card for card in cards if recent(card)]
    is_nearly_all = len(late) > 0 and sum(map(is_bought, late)) >= 0.9 * len(late)
    is_any_left = any(card["source_bot_type"] in in_focus and not is_bought(card) for card in cards)
    do_others_wait = is_any_left and not is_nearly_all
    for kind, one in found.items():
        rivals = in_focus if kind in in_focus else [] if do_others_wait else found
        share = one["to_buy"] / sum(found[other]["to_buy"] for other in rivals if other in found) if rivals and one["to_buy"] else 0
        one["a_day"], first_a_day = min(one["to_buy"] / 60, share * of_all), min(one["to_buy"] / 60, of_all)
        one["a_day_first"] = 0 if in_focus == [kind] or one["cards"] == one["bought"] else first_a_day
    return found


def need_of(one, purchases, enough, now):
    """What a number needs before it is tested well enough, and when that comes."""
    if purchases is None:
        return NOTHING
    outcomes, days = len(one.pairs), len({card["day"] for _, card in one.pairs})
    return need(outcomes, days, purchases, enough, now)


def need(outcomes, days, purchases, enough, now):
    pairs, needed_days, pairs_now = enough[0], enough[1], outcomes - days
    if pairs_now >= pairs and days >= needed_days:
        return NOTHING
    cards, length, of_cards = purchases["cards"], purchases["days"], purchases["days_of_cards"]
    a_day = (cards + math.sqrt(cards) + 1) / length
    at_random, so_far = a_day - 1 + math.exp(-a_day), cards - of_cards
    if LONGEST * max(at_random, so_far / length) < 0.7 * pairs:
        return NOTHING | {"needs": "cards_a_day"}
    usable = min(1, (outcomes + 0.96 * 25) / (purchases["bought"] + 25))
    ways = [usable * purchases[way] for way in ("a_day", "a_day_first")]
    comings = [coming_of(a_day, outcomes, days, purchases, enough) for a_day in ways]
    per_card = max(at_random / a_day, so_far / cards)
    if_all = [None, outcomes + max(0, pairs - pairs_now) / per_card, pairs_now >= pairs]
    _, total, is_of_days = comings[0] or comings[1] or if_all
    missing = 0 if is_of_days else fifties(total) - outcomes
    by, by_focus = (coming and max(coming[0], missing / a_day) for coming, a_day in zip(comings, ways))
    is_sooner = by_focus is not None and by_focus <= 60 and (by is None or by >= 2 * by_focus)
    return {
        "needs": "days" if is_of_days else "outcomes",
        "needed": needed_days if is_of_days else fifties(total),
        "enough_by": text_of(now + math.ceil(by) * DAY) if by is not None and by <= 60 else None,
        "focus_brings_by": text_of(now + math.ceil(by_focus) * DAY) if is_sooner else None,
    }


def fifties(outcomes):
    return math.ceil(outcomes / 50) * 50


def coming_of(a_day, outcomes, days, purchases, enough):
    """[day, outcomes, whether only days are lacking] when there are enough, if outcomes fall on days at random"""
    length, of_cards, had_pairs = purchases["days"], purchases["days_of_cards"], outcomes - days >= enough[0]
    for day in range(1, LONGEST + 1) if a_day else ():
        then, counts = outcomes + a_day * day, min(1, LONGEST / (length + day))
        on = of_cards * (1 + day / length)
        days_then = on - (on - days) * math.exp(-a_day * day / on)
        has_pairs = counts * (then - days_then) >= enough[0]
        if has_pairs and counts * days_then >= enough[1]:
            return [day, counts * then, had_pairs]
        had_pairs = has_pairs
    return None


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
            "gain_lowered": (alone.m - whole) * nearer,
            "kept_vs_dropped": difference,
            "kept_vs_dropped_interval": interval,
            "verdict_since": None,
            "since_then": None,
        })
    clear = [cut for cut in found if cut["kept_vs_dropped_interval"] and cut["kept_vs_dropped_interval"][0] > 0]
    clear = [cut for cut in clear if cut["gain_lowered"] >= LEAST[one.h] / 2]
    clear.sort(key=lambda cut: not (cut["value"] == 0 and one.has_sides))
    return [cut | {"is_advice": cut is (clear or [None])[0]} for cut in found]


def beside_others(cards, h, btc):
    everything = Gathered(cards, h, btc)
    betas = Betas(everything.with_btc)
    explained = {card["id"]: betas.explained(card, btc) for _, btc, card in everything.with_btc}
    pairs = [(clean(value - explained[card["id"]]), card) for value, card in known(everything.differences)]
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
        yield kind, own, round(sum(card["time"] > until - 28 * DAY for card in own) / days, 2)


def tune(cards, btc, present_since, now, in_focus):
    """One look: a number tells only with a cut that is the advice."""
    questions, cuts, until = [], [], max(card["time"] for card in cards)
    purchases = purchases_of(cards, present_since, now - DAY, in_focus)
    for h in HORIZONS:
        types, beside = by_type(cards, present_since, until), beside_others(cards, h, btc)
        asked = adjusted([(kind, per_day, one) for kind, own, per_day in types for one in numbers_of(own, h, btc)])
        enough = enough_of(len(asked), h)
        for kind, per_day, one in asked:
            word = passes(one)
            found = cuts_of(one, word, beside, per_day) if word else []
            if not any(cut["is_advice"] for cut in found):
                word, found = None, []
            question = {"type": kind, **question_of(one, word, purchases.get(kind), enough, now)}
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
        groups = Groups(cards, h, "type", btc, since)
        found = service_of(answers, cards, known(groups.pairs), h, btc, since, groups.betas) if answers else {}
        if found or last:
            lines.append({"about": "medians", "horizon": h, "types": found})
    return lines


def decided(word):
    return word if word in ("above", "below") else None


def shown_of(line):
    """What screens show of a line."""
    return line["verdict"], line["to"], line["source"], decided(line["vs_btc"]), line["shows_at"]


def shows_at(one, kind, old, now, sitting):
    """When a word is likely; what was said stands until it is over, or a month."""
    if old and old["verdict"] == "unclear":
        if now < (millis(old["shows_at"]) if old["shows_at"] else millis(old["at"]) + 30 * DAY):
            return old["shows_at"]
    return date_of(None, now, lambda: wait_of(one, "24h", now, sitting))


def date_of(said, now, until_of):
    """What was said, until it is over; then the end of the month anew."""
    if said and now < millis(said):
        return said
    until = until_of()
    if not until:
        return None
    in_month = datetime.fromtimestamp(until / 1000, timezone.utc)
    following = datetime(in_month.year + in_month.month // 12, in_month.month % 12 + 1, 1, tzinfo=timezone.utc)
    return text_of((int(following.timestamp()) - 1) * 1000)


def lines_of_types(settled, answers, now, since, begun, notebook, is_new):
    """@returns also what the words rest on"""
    last = {which[0]: line for which, line in last_of(notebook, "type", "type").items()}
    medians = last_of(notebook, "medians", "horizon").get(("24h",), {"types": {}})
    groups, lines = Groups(settled, "24h", "type", btc_symbols(settled), since), []
    groups.decide(medians["types"], now, {} if is_new else {kind: line["source"] for kind, line in last.items()})
    told = {kind: line for kind, line in last.items() if line["settings_since"] == begun.get(kind)}
    for kind, one in groups.deciding.items():
        old, to = told.get(kind), "btc" if one is groups.to_btc[kind] else "others"
        before = old["verdict"] if old and old["to"] == to else None
        line = {"type": kind, "to": to, "source": "service" if isinstance(one, ByT) else "bought"}
        line["verdict"] = word_by_rule(one, LEAST["24h"], before)
        line["vs_btc"] = word_by_rule(groups.to_btc[kind], LEAST["24h"], old and old["vs_btc"])
        line["shows_at"] = None
        if line["verdict"] == "unclear":
            line["shows_at"] = shows_at(one, kind, old, now, next_medians(kind, settled, answers, now))
        if old is None and line["verdict"] is None and last.get(kind, {"verdict": None})["verdict"] is None:
            continue
        if old and shown_of(line) == shown_of(old):
            continue
        line["sample"] = len(known(groups.own[kind].moves)) if to == "btc" else one.n
        line["difference_percentage_points"], line["interval_95"] = one.m, one.interval(TWO_ERRORS)
        line["weak"] = one.clusters < 12
        lines.append(line | {"settings_since": begun.get(kind), "least": LEAST["24h"]})
    gone = [line for kind, line in last.items() if kind not in groups.keys and line["verdict"] is not None]
    lines += [line | dict.fromkeys(("verdict", "vs_btc", "shows_at")) for line in gone]
    return groups, [line | {"about": "type"} for line in lines]


def words_now(groups, begun, notebook):
    """(type, word, since when) of the types above or below. @param notebook: with the lines of types"""
    for kind in groups.keys:
        of_kind = [line for line in notebook if line["about"] == "type" and line["type"] == kind]
        word = of_kind[-1]["verdict"] if of_kind and of_kind[-1]["settings_since"] == begun.get(kind) else None
        if word not in ("above", "below"):
            continue
        first = len(of_kind)
        while first > 0 and (of_kind[first - 1]["verdict"], of_kind[first - 1]["settings_since"]) == (word, begun.get(kind)):
            first -= 1
        yield kind, word, millis(of_kind[first]["at"])


def lines_of_lately(groups, now, since, begun, notebook):
    """Where a word stands, whether the last 30 days bear it out. @param notebook: with the lines of types"""
    lines = []
    for kind, word, word_since in words_now(groups, begun, notebook):
        lately = groups.lately(kind, last_settled(now, "24h"), groups.steady(kind, since))
        told = last_of(notebook, "lately", "type").get((kind,))
        before = told["verdict"] if told and millis(told["at"]) >= word_since else "as_before"
        found = less_of(word, lately, before)
        if found is None or found == before:
            continue
        sides = {name: {"percentage_points": one.m, "interval_95": one.interval(TWO_ERRORS)}
                 for name, one in zip(("last_30_days", "before"), lately)}
        lines.append({"about": "lately", "type": kind, "verdict": found, **sides})
    return lines


def lines_of_doubts(groups, now, begun, notebook):
    """Where a word stands, whether cards that came after it, 20 days old at most, speak against it."""
    lines = []
    for kind, word, word_since in words_now(groups, begun, notebook):
        first = max(word_since, (last_settled(now, "24h") - 19) * DAY)
        beside = groups.to_btc[kind] if groups.deciding[kind] is groups.to_btc[kind] else groups.bought[kind]
        newer = Median([pair for pair in beside.pairs if pair[1]["time"] >= first], "24h")
        older = [value for value, card in beside.pairs if card["time"] < first]
        told = last_of(notebook, "doubt", "type").get((kind,))
        told = told if told and millis(told["at"]) >= word_since else None
        is_doubted = told is not None and told["verdict"] == "in_doubt"
        at_95, at_99 = newer.interval(TWO_ERRORS), newer.interval(0.01)
        if newer.n < 30 or at_95 is None or not (is_doubted or older):
            continue
        # Below is above upside down.
        side = 1 if word == "above" else -1
        ends = lambda pair: sorted(side * end for end in pair)
        before, m = (told["before"] if is_doubted else middle(older)), side * newer.m
        shows = ends(at_95)[0] > 0
        if is_doubted:
            has_news = shows or m >= 2 / 3 * side * before
        else:
            has_news = at_99 is not None and not shows and ends(at_99)[1] < side * before
        if has_news:
            lines.append({
                "about": "doubt", "type": kind, "verdict": "cleared" if is_doubted else "in_doubt", "of": word,
                "newer": {"percentage_points": newer.m, "interval_95": at_95},
                "newer_since": text_of(first), "before": before,
            })
    return lines


def lines_at(now, cards, answers, times, notebook):
    """What an export would write into the notebook of what is known then."""
    first = now - 180 * DAY
    cards = sorted((card for card in cards if first <= card["time"] <= now), key=lambda card: card["time"])
    settled = [card for card in cards if card["day"] <= last_settled(now, "24h")]
    answers = [one for one in answers if first + 30 * DAY <= one["at"] <= now]
    since = {"type_0": time for time in times if time <= now}
    begun = {kind: text_of(time) for kind, time in since.items()}
    medians = lines_of_medians(cards, answers, since, notebook)
    dated = lambda lines: [line | {"at": text_of(now)} for line in lines]
    groups, types = lines_of_types(settled, answers, now, since, begun, notebook + medians, len(medians) > 0)
    lately = lines_of_lately(groups, now, since, begun, notebook + dated(types))
    doubts = lines_of_doubts(groups, now, begun, notebook + dated(types))
    numbers = lines_of_numbers(cards, settled, now, since, begun, notebook)
    changed = lines_of_changes(settled, answers, times, now, notebook, unsteady(notebook + dated(types) + dated(lately)))
    return dated([*medians, *types, *lately, *doubts, *numbers, *changed])


def printed(line):
    """A line as the notebook has it."""
    if line["about"] != "medians":
        return line
    types = {kind: median_of(one) for kind, one in line["types"].items()}
    return line | {"types": types | {"length": len(types)}}


def median_of(one):
    found = {
        **{"difference_percentage_points": one.m, "standard_error": one.error, "degrees_of_freedom": one.df},
        **{"asked_at": text_of(one.asked), "sample": one.n, "windows": one.windows, "clusters": one.clusters},
        **{"missing_percentage_points": one.lost, "missing_beyond_others_percentage_points": one.beyond},
        **{"median_vs_btc_percentage_points": one.vs_btc, "beta_percentage_points": one.beta, "lately": None},
    }
    if one.lately is None:
        return found
    last, before, less = one.lately
    parts = {name: {"percentage_points": part.m, "interval_95": part.interval(TWO_ERRORS)}
             for name, part in (("last_30_days", last), ("before", before))}
    errors = {"difference": less.m, "standard_error": less.error, "degrees_of_freedom": less.df}
    return found | {"lately": parts | errors}


def times_of(changed):
    """[the first moment, the last] of each time of settings; cards of the day before each change are left out."""
    edges = [-math.inf, *changed, math.inf]
    return [(since, end - (DAY if end in changed else 0)) for since, end in zip(edges, edges[1:])]


def changes(cards, answers, changed, h, btc, doubted=frozenset()):
    """The settings of type_0 changed at these times, of no other type."""
    times = times_of(changed)
    found = [effect_of(before, after, cards, answers, h, btc, doubted) for before, after in zip(times, times[1:])]
    return [{key: value for key, value in one.items() if key != "estimate"} for one in found]


def is_on(time, at):
    return time[0] <= at <= time[1]


def effect_of(before, after, cards, answers, h, btc, doubted=frozenset()):
    """What a change of type_0 did, beside the same types on both sides: by what is bought or the service's, the surer.

    @param doubted: the types that do not do as before; those that changed by themselves are left out"""
    sides, everything = (before, after), Gathered(cards, h, btc)
    betas = Betas(everything.with_btc)
    explained = {card["id"]: betas.explained(card, btc) for _, btc, card in everything.with_btc}
    pairs = [(clean(value - explained[card["id"]]), card) for value, card in known(everything.differences)]
    barred = changed_by_themselves(doubted, sides, pairs)
    by_bought = effect_of_bought(sides, pairs, h, barred)
    by_service = effect_of_service(sides, cards, answers, pairs, h, btc, betas, barred)
    is_of_service = by_service and (not by_bought[0] or width_of(by_service) < width_of(by_bought))
    controls, halves = by_service if is_of_service else by_bought
    value, estimate = less(halves[1], halves[0])
    words = {"above": "higher", "below": "lower"}
    word = "too_few_days" if estimate is None else word_by_rule(estimate, LEAST[h], None, OF_CHANGES)
    return {
        "controls": sorted(controls),
        "difference_percentage_points": value,
        "difference_interval_95": estimate and estimate.interval(TWO_ERRORS),
        "difference_interval_99": estimate and estimate.interval(OF_CHANGES),
        "difference_interval_997": estimate and estimate.interval(THREE_ERRORS),
        "verdict": words.get(word, word),
        "estimate": estimate,
    }


# Outcomes on each side.
LEAST_TO_COMPARE = 12


def changed_by_themselves(doubted, sides, pairs):
    """Without those of which it is known that they did not; all, if it is known of none that it did."""
    shifted = {kind: is_shifted(kind, sides, pairs) for kind in doubted}
    return {kind for kind, is_so in shifted.items() if is_so is not False or True not in shifted.values()}


def is_shifted(kind, sides, pairs):
    """Whether its shift against BTC lies nearer to its shift beside the others, of which none changed settings, than to 0."""
    kept = [pair for pair in pairs if pair[1]["source_bot_type"] != "type_0"]
    is_own = lambda card: card["source_bot_type"] == kind
    own = [pair for pair in kept if is_own(pair[1])]
    beside = [pair for pair in against_others(kept, is_own) if is_own(pair[1])]
    shifts = []
    for some in (own, beside):
        before, after = ([value for value, card in some if is_on(time, card["time"])] for time in sides)
        if min(len(before), len(after)) < LEAST_TO_COMPARE:
            return None
        shifts.append(np.median(after) - np.median(before))
    shift, shift_beside = shifts
    return bool(np.sign(shift) == np.sign(shift_beside) != 0 and abs(shift) > abs(shift_beside) - abs(shift))


def width_of(found):
    estimate = less(found[1][1], found[1][0])[1]
    ends = estimate and estimate.interval(OF_CHANGES)
    return math.inf if ends is None else ends[1] - ends[0]


def effect_of_bought(sides, pairs, h, barred):
    """With BTC if there is no control, or too few cards have any."""
    on = [[pair for pair in pairs if is_on(time, pair[1]["time"])] for time in sides]
    controls = set.intersection(*({card["source_bot_type"] for _, card in some} for some in on)) - {"type_0"} - barred
    is_own = lambda card: card["source_bot_type"] == "type_0"
    own = [[pair for pair in some if is_own(pair[1])] for some in on]
    compared = [pair for pair in pairs if is_own(pair[1]) or pair[1]["source_bot_type"] in controls]
    beside = [pair for pair in against_others(compared, is_own) if is_own(pair[1])]
    beside = [[pair for pair in beside if is_on(time, pair[1]["time"])] for time in sides]
    if not controls or any(2 * len(some) < len(alone) for some, alone in zip(beside, own)):
        return set(), [Median(some, h) for some in own]
    return controls, [Median(some, h) for some in beside]


def effect_of_service(sides, cards, answers, pairs, h, btc, betas, barred):
    """None unless it answered for type_0 and a control, wholly before and wholly after."""
    def medians(time, types):
        said = [one for one in answers if one["type"] in types and time[0] <= one["at"] - 30 * DAY and one["at"] <= time[1]]
        own = [card for card in cards if card["source_bot_type"] in types]
        bought = [pair for pair in pairs if pair[1]["source_bot_type"] in types]
        return service_of(said, own, bought, h, btc, {}, betas) if said else {}

    types = {card["source_bot_type"] for card in cards} - barred
    # Exports ask at the look that sees a change: of that window the last day may be of the new settings.
    windows = [(sides[0][0], sides[0][1] + DAY), sides[1]]
    controls = set.intersection(*(set(medians(time, types)) for time in windows)) - {"type_0"}
    found = [medians(time, controls | {"type_0"}).get("type_0") for time in windows]
    return None if None in found else (controls, found)


def unsteady(notebook):
    """When it was found of a type that it does not do as before: a word was withdrawn, or it does less lately."""
    found = {}
    for kind in {line["type"] for line in notebook if line["about"] in ("type", "lately")}:
        lines = [line for line in notebook if line["about"] == "type" and line["type"] == kind]
        present = [line for line in lines if line["settings_since"] == lines[-1]["settings_since"]]
        given = [i for i, line in enumerate(present) if decided(line["verdict"])]
        times = [millis(present[i + 1]["at"]) for i in given[-1:] if i + 1 < len(present)]
        late = [line for line in notebook if line["about"] == "lately" and line["type"] == kind][-1:]
        times += [millis(line["at"]) for line in late if line["verdict"] == "less"]
        if times:
            found[kind] = max(times)
    return found


def lines_of_changes(cards, answers, changed, now, notebook, doubts):
    """Of the last change: what it did."""
    changed = [time for time in changed if time <= now]
    begun = {text_of(time) for time in changed[-1:]}
    last = next((one for one in notebook[::-1] if one["about"] == "change" and one["settings_since"] in begun), None)
    before = last and last["verdict"]
    if not changed or now - changed[-1] > 90 * DAY or not any(card["source_bot_type"] == "type_0" for card in cards):
        return []
    btc, (earlier, later) = btc_symbols(cards), times_of(changed)[-2:]
    doubted = {kind for kind, at in doubts.items() if at > earlier[0]} - {"type_0"}
    found = effect_of(earlier, later, cards, answers, "24h", btc, doubted)
    if found["verdict"] == "too_few_days":
        return []
    sides = {"higher": "above", "lower": "below"}
    word = word_by_rule(found["estimate"], LEAST["24h"], sides.get(before, before), OF_CHANGES)
    found["verdict"] = {"above": "higher", "below": "lower"}.get(word, word)
    if before in sides and found["verdict"] != before:
        found["verdict"] = "unclear"
    if found["verdict"] == before:
        return []
    line = {"about": "change", "type": "type_0", "settings_since": text_of(changed[-1]), "verdict": found["verdict"]}
    difference = found["difference_percentage_points"]
    return [line | {"difference_percentage_points": difference, "interval_95": found["difference_interval_95"]}]


def can_buy_vs_btc(figures):
    day = figures["horizons"]["24h"]
    is_unsure = day["verdict"] in ("unclear", "too_few_days")
    return day["shown_verdict"] == "below_others" and is_unsure and figures["bought"] < 0.9 * figures["due"]


def focus_of(types, questions, in_focus, before):
    """The type to buy first; while their question is open, one of those that exports buy first already."""
    already = {kind: figures for kind, figures in types.items() if kind in in_focus}
    return focus_among(already, questions, True, before) or focus_among(types, questions, False, before)


def focus_among(types, questions, under_way, before):
    """Of one look, so that no type was found before another. @param before: cards of each type before this month"""
    opened = [kind for kind, one in types.items() if can_buy_vs_btc(one)]
    if opened:
        kind = min(opened, key=lambda kind: (-before[kind], kind))
        due, day = types[kind]["due"], types[kind]["horizons"]["24h"]
        return {"why": "vs_btc", "type": kind, "isUnderWay": under_way, "due": due, "bought": day["btc_sample"]}
    prospects = []
    for kind, figures in types.items():
        own = [one for one in questions if one["type"] == kind and one["horizon"] == "24h"]
        can_come = [one for one in own if one["needs"] in ("outcomes", "days")]
        is_behind = (figures["horizons"]["24h"]["shown_verdict"] or "").startswith("below")
        if is_behind or not can_come or any(one["verdict"] in ("higher", "lower") for one in own):
            continue
        closest = min(can_come, key=lambda one: one["needed"] - one["cards"])
        by = (under_way and closest["enough_by"]) or closest["focus_brings_by"]
        if (closest["needs"] == "outcomes" or under_way) and by:
            needed = {"needed": closest["needed"]} if closest["needs"] == "outcomes" else {}
            anyway = {"comesAnyway": closest["enough_by"] is not None}
            found = needed | anyway | {"outcomes": closest["cards"], "by": millis(by)}
            prospects.append((-before[kind], kind, found))
    if not prospects:
        return None
    _, kind, found = min(prospects, key=lambda one: one[:2])
    return {"why": "tune", "type": kind, "isUnderWay": under_way} | found


def cards_before_month(cards, now):
    """By type: how many cards came before the month of this time."""
    month = text_of(now)[:7]
    return Counter(card["source_bot_type"] for card in cards if card["created_at"][:7] < month)


def judge(cards, answers, times, mornings, picked, in_focus):
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
    others = {card["source_bot_type"] for card in cards} - {"type_0"}
    types, tuned = grouped(cards, now, "type", btc, told, since, in_focus), tune(cards, btc, since, now, in_focus)
    return {
        "all": grouped(cards, now, "all", btc)[None],
        "type": types,
        "symbol": grouped(cards, now, "symbol", btc),
        "picks": {h: picks_of(cards, set(picked), h, btc) for h in HORIZONS},
        "tune": tuned,
        "focus": focus_of(types, tuned["questions"], in_focus, cards_before_month(cards, now)),
        "noted": [[printed(line) for line in lines] for lines in noted],
        "changes": {h: changes(cards, told, times, h, btc) for h in HORIZONS},
        "changes_if_all_doubted": {h: changes(cards, told, times, h, btc, others) for h in HORIZONS},
    }


for line in sys.stdin:
    one = json.loads(line)
    result = judge(one["cards"], one["answers"], one["changes"], one["mornings"], one["picked"], one["focus"])
    print(json.dumps(result), flush=True)
