"""The simulation engine: records, chance, games, the play loop, runs. It knows no bot, no statistic and no page."""
