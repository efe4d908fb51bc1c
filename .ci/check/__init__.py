"""The whole check: it runs lanes side by side, within budgets, and fails if one of them fails."""
