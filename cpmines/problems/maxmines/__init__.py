"""How many mines fit on a board?"""
