"""Habits in the heads of rules: triggers, events and conditions in other words."""
