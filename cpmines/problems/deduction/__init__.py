"""Which unknown cells of a partly revealed board are mines in all placements, and which in none?"""
