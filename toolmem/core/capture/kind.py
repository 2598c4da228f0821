"""Kinds and tiers of decrees; hooks load them without the rest."""

from typing import Literal

Kind = Literal["ban", "demand", "preference", "back", "remember"]
Tier = Literal["sure", "candidate"]
SURE: Tier = "sure"
CANDIDATE: Tier = "candidate"
BACK: Kind = "back"
