"""A PDF's description of itself, in its information dictionary and as XMP."""

from __future__ import annotations

import time
from xml.sax.saxutils import escape

LONG_AGO = 946_684_800
"""The first day of 2000, in seconds since 1970: the date of a document of which none is known."""
SUBJECT = "A board game to print and play"
KEYWORDS = "board game, print and play"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
NAMESPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "pdf": "http://ns.adobe.com/pdf/1.3/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
}
"""Of the terms of XMP."""


def xmp(title: str, producer: str, date: int) -> bytes:
    """The document's description as XMP: the same as its information dictionary."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(date))
    said = {
        "dc:format": "application/pdf",
        "dc:title": f'<rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt>',
        "dc:description": f'<rdf:Alt><rdf:li xml:lang="x-default">{SUBJECT}</rdf:li></rdf:Alt>',
        "dc:creator": "<rdf:Seq><rdf:li>Tablewright</rdf:li></rdf:Seq>",
        "dc:language": "<rdf:Bag><rdf:li>en</rdf:li></rdf:Bag>",
        "pdf:Keywords": KEYWORDS,
        "pdf:Producer": escape(producer),
        "xmp:CreatorTool": "Tablewright",
        "xmp:CreateDate": when,
        "xmp:ModifyDate": when,
    }
    body = "".join(f"<{name}>{value}</{name}>" for name, value in said.items())
    names = "".join(f' xmlns:{name}="{address}"' for name, address in NAMESPACES.items())
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        f'<rdf:RDF xmlns:rdf="{RDF}"><rdf:Description rdf:about=""{names}>{body}</rdf:Description></rdf:RDF>'
        '</x:xmpmeta><?xpacket end="r"?>'
    ).encode()
