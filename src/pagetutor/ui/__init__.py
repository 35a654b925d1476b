"""Values become screens: pure renderables, prompts behind the `Screen` port, phrases in two languages."""
