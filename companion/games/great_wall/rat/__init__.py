"""The module Rat."""
