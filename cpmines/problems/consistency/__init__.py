"""Does a partly revealed board have a placement of mines?"""
