"""Campaigns: many runs in processes of their own, stored one by one, evaluated afterwards."""
