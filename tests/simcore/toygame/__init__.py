"""Bids, a game for 2 to 5 seats that shows what the engine can carry.

Each trick, all seats put a card face down, one after the other; then all are turned up. The highest card (the earliest
of equals) scores its value. Its owner names a seat, which pays a point or goes without a new card; all others draw.
A round ends when a hand is empty or after so many tricks. Between equal points the more tricks win.
"""
