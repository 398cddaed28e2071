"""`footnote eval`: engines asked, measured and compared; the stand-in served; sets collected."""
