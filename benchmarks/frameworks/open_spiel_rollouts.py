"""Random play of a game in OpenSpiel's own C++ loop (`evaluate_bots`), as one line of JSON.

    python open_spiel_rollouts.py euchre 0.6

It needs the package `open_spiel` and nothing else of ours. `cpu` are seconds for `actions` applied actions, of which
the share `decisions` are players' own and the others are chance, such as every card that is dealt.
"""

import json
import sys
import time

import pyspiel

COUNTED = 200  # games whose actions are told apart, outside the measurement


def main() -> None:
    """Play for so many CPU seconds."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, 1234 + player) for player in range(game.num_players())]
    players = actions = 0
    for seed in range(COUNTED):
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        players += sum(step.player >= 0 for step in state.full_history())
        actions += state.move_number()
    share = players / actions
    actions, seed = 0, COUNTED
    begin = time.process_time()
    while (cpu := time.process_time() - begin) < seconds:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        actions += state.move_number()
        seed += 1
    print(json.dumps({"cpu": cpu, "actions": actions, "decisions": share}))


main()
