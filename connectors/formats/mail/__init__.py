"""Mails as files, with what is attached to them."""
