"""The module Genghis Khan."""
