"""What records say of backends. Each function takes a table of `cpmines.campaign.frame`, or a part of it.

The unit is a backend on an instance: repeated runs are summed up by their median, in which a run that is
not solved, or not right, costs infinitely much. So a unit is solved if more than half of its runs are. Costs
are CPU seconds unless another measure is named.
"""

from __future__ import annotations

from cpmines.campaign.statistics.costs import cost_table, measures, run_costs
from cpmines.campaign.statistics.growth import Growth, growth
from cpmines.campaign.statistics.intervals import Interval, bootstrap
from cpmines.campaign.statistics.pairs import SpeedUp, speed_up, speed_ups
from cpmines.campaign.statistics.summary import Summary, summaries, summary

__all__ = [
    "Growth",
    "Interval",
    "SpeedUp",
    "Summary",
    "bootstrap",
    "cost_table",
    "growth",
    "measures",
    "run_costs",
    "speed_up",
    "speed_ups",
    "summaries",
    "summary",
]
