"""What games share: stores, slots, spaces."""
