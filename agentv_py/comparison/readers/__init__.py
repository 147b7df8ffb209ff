"""Values as people write them → what they mean: numbers, dates, boxes."""
