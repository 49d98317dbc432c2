"""Parts that games share: stores, slots, spaces."""
