"""Is a finished board right?"""
