"""What a PDF says of itself: author and dates, without reading a page."""

import pypdfium2 as pdfium


def properties(data: bytes) -> dict[str, str]:
    """The document information by its own keys (`Author`, `ModDate`); raises nothing, may be none.

    Args:
        data: the whole file; one that cannot be opened says nothing.
    """
    try:
        pdf = pdfium.PdfDocument(data, password="")
    except pdfium.PdfiumError:
        return {}
    try:
        return dict(pdf.get_metadata_dict(skip_empty=True))
    finally:
        pdf.close()
