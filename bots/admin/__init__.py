"""Operating the bot from chat."""
