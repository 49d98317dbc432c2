"""What games share: stores, slots, bags, spaces."""
