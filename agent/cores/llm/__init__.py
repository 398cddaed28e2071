"""The core that asks a language model: what it is shown, what it may decide, how it is asked."""
