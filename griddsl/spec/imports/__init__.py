"""Imports: what a spec has from files beside it: libraries, folders of maps, levels of other editors."""
