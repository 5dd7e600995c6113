"""What stands behind a coefficient: findings on annotators, categories, documents."""
