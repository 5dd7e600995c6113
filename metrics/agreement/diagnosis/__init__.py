"""Causes of a low or high coefficient: findings on annotators, categories and documents."""
