"""How far each symbol moves with BTC, drawn towards the slope of all where its outcomes are few."""

import numpy as np


class Betas:
    """Least squares of a symbol's moves on BTC's, each type's mean taken off both."""

    def __init__(self, outcomes):
        """@param outcomes: (move, BTC's move, card), bought and measured, without BTC's own cards"""
        self.slopes, self.pooled, self.days = {}, 1.0, {}
        for _, btc, card in outcomes:
            self.days.setdefault(card["day"], []).append(btc)
        self.days = {day: float(np.mean(moves)) for day, moves in self.days.items()}
        if len(outcomes) < 100:
            return
        y = np.array([move for move, _, _ in outcomes])
        b = np.array([btc for _, btc, _ in outcomes])
        types = np.array([card["source_bot_type"] for _, _, card in outcomes])
        symbols = np.array([card["source_symbol"] for _, _, card in outcomes])
        for t in set(types.tolist()):
            y[types == t] -= y[types == t].mean()
            b[types == t] -= b[types == t].mean()
        s = {one: float(np.sum(b[symbols == one] ** 2)) for one in set(symbols.tolist())}
        s = {one: square for one, square in s.items() if square > 0}
        total = sum(s.values())
        if total == 0:
            return
        self.pooled = float(b @ y) / total
        residual = float(np.sum((y - self.pooled * b) ** 2)) / (len(y) - len(set(types.tolist())) - 1)
        slopes = {one: float(b[symbols == one] @ y[symbols == one]) / s[one] for one in s}
        # DerSimonian & Laird (1986): the variance of the slopes beyond that of their errors.
        excess = sum(s[one] * (slopes[one] - self.pooled) ** 2 for one in s) - residual * (len(s) - 1)
        spread = total - sum(square**2 for square in s.values()) / total
        between = max(0.0, excess / spread) if spread > 0 else 0.0
        for one in s:
            error = residual / s[one]
            kept = between / (between + error) if between > 0 else 0.0
            self.slopes[one] = self.pooled + kept * (slopes[one] - self.pooled)

    def of(self, symbol):
        return self.slopes.get(symbol, self.pooled)

    def explained(self, symbol, btc):
        """Percentage points of a symbol's difference to BTC."""
        return (self.of(symbol) - 1) * btc

    def explained_of(self, cards):
        """The mean over listed cards, by the mean move of BTC on their days."""
        return float(np.mean([self.explained(c["source_symbol"], self.days.get(c["day"], 0.0)) for c in cards]))
