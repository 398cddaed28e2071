"""Spreadsheets: workbooks and files of delimited lines."""
