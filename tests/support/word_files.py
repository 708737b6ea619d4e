"""Word files made by hand, with words inside each construct of the format, and what Word shows of them.

A construct is a function from the XML of some runs to the XML that holds them. Those of `SHOWN` leave the words where
they are; those of `NOT_SHOWN` hold words that nobody sees on the page.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from xml.sax.saxutils import escape

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = {
    "w": W,
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "x9": "urn:example:unknown",
}
DECLARED = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
Construct = Callable[[str], str]


def run(text: str, properties: str = "") -> str:
    """The XML of one run."""
    return f'<w:r>{properties and f"<w:rPr>{properties}</w:rPr>"}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def mark(kind: str, more: str = "") -> str:
    """A run with one end of a complex field."""
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{more}</w:fldChar></w:r>'


def code(text: str) -> str:
    return f'<w:r><w:instrText xml:space="preserve">{escape(text)}</w:instrText></w:r>'


def field(inner: str, instruction: str = " REF sum ") -> str:
    """A complex field with its result."""
    return f"{mark('begin')}{code(instruction)}{mark('separate')}{inner}{mark('end')}"


def box(paragraphs: str) -> str:
    """A text box as Word 2010 and later write it: twice, of which one is shown."""
    drawn = f"<wps:wsp><wps:txbx><w:txbxContent>{paragraphs}</w:txbxContent></wps:txbx></wps:wsp>"
    drawing = (
        f"<w:drawing><wp:anchor><a:graphic><a:graphicData>{drawn}</a:graphicData></a:graphic></wp:anchor></w:drawing>"
    )
    old = f"<w:pict><v:shape><v:textbox><w:txbxContent>{paragraphs}</w:txbxContent></v:textbox></v:shape></w:pict>"
    choice = f'<mc:Choice Requires="wps">{drawing}</mc:Choice><mc:Fallback>{old}</mc:Fallback>'
    return f"<w:r><mc:AlternateContent>{choice}</mc:AlternateContent></w:r>"


SHOWN: Mapping[str, Construct] = {
    "ins": lambda runs: f'<w:ins w:id="1" w:author="a">{runs}</w:ins>',
    "moveTo": lambda runs: f'<w:moveTo w:id="1" w:author="a">{runs}</w:moveTo>',
    "smartTag": lambda runs: f'<w:smartTag w:uri="u" w:element="e"><w:smartTagPr/>{runs}</w:smartTag>',
    "hyperlink": lambda runs: f'<w:hyperlink w:anchor="x">{runs}</w:hyperlink>',
    "fldSimple": lambda runs: f'<w:fldSimple w:instr=" MERGEFIELD sum ">{runs}</w:fldSimple>',
    "sdt": lambda runs: f"<w:sdt><w:sdtPr><w:alias w:val='x'/></w:sdtPr><w:sdtContent>{runs}</w:sdtContent></w:sdt>",
    "customXml": lambda runs: f'<w:customXml w:element="e">{runs}</w:customXml>',
    "bdo": lambda runs: f'<w:bdo w:val="ltr">{runs}</w:bdo>',
    "dir": lambda runs: f'<w:dir w:val="ltr">{runs}</w:dir>',
    "field": field,
    "field in a field": lambda runs: field(field(runs), " IF 1 = 1 "),
    "field in an instruction": lambda runs: (
        f"{mark('begin')}{code(' IF ')}{field(run('777777'))}{code(' = 1 ')}{mark('separate')}{runs}{mark('end')}"
    ),
    "dropdown of a form": lambda runs: f"{field('', ' ASK x ')}{runs}",
    "bookmark": lambda runs: f'<w:bookmarkStart w:id="1" w:name="b"/>{runs}<w:bookmarkEnd w:id="1"/>',
    "comment": lambda runs: (
        f'<w:commentRangeStart w:id="1"/>{runs}<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>'
    ),
    "proofErr": lambda runs: f'<w:proofErr w:type="spellStart"/>{runs}<w:proofErr w:type="spellEnd"/>',
    "alternate": lambda runs: (
        f'<mc:AlternateContent><mc:Choice Requires="wps">{runs}</mc:Choice>'
        f"<mc:Fallback>{run('555555')}</mc:Fallback></mc:AlternateContent>"
    ),
    "fallback": lambda runs: (
        f'<mc:AlternateContent><mc:Choice Requires="x9">{run("555555")}</mc:Choice>'
        f"<mc:Fallback>{runs}</mc:Fallback></mc:AlternateContent>"
    ),
}

NOT_SHOWN: Mapping[str, str] = {
    "del": '<w:del w:id="2" w:author="a"><w:r><w:delText>90000</w:delText></w:r></w:del>',
    "del with w:t": f'<w:del w:id="2" w:author="a">{run("90000")}</w:del>',
    "moveFrom": f'<w:moveFrom w:id="2" w:author="a">{run("90000")}</w:moveFrom>',
    "ins and del": '<w:ins w:id="3"><w:del w:id="2"><w:r><w:delText>90000</w:delText></w:r></w:del></w:ins>',
    "vanish": run("90000", "<w:vanish/>"),
    "vanish by a style": run("90000", '<w:rStyle w:val="Hidden"/>'),
    "instruction": f"{mark('begin')}{code(' XE 90000 ')}{mark('end')}",
    "words in an instruction": f"{mark('begin')}{code(' XE ')}{run('90000')}{mark('end')}",
    "soft hyphen": "<w:r><w:softHyphen/></w:r>",
    "page break drawn last": "<w:r><w:lastRenderedPageBreak/></w:r>",
}

UNREAD: Mapping[str, str] = {
    "altChunk": '<w:altChunk r:id="x"/>',
    "subDoc": '<w:p><w:subDoc r:id="x"/></w:p>',
    "object": '<w:p><w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r></w:p>',
    "chart": (
        '<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData uri="c"><c:chart '
        'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/></a:graphicData></a:graphic></wp:inline>'
        "</w:drawing></w:r></w:p>"
    ),
    "unknown element with words": f"<w:p><w:novel>{run('90000')}</w:novel></w:p>",
    "field of a kind that draws": f"<w:p>{mark('begin')}{code(' EQ x ')}{mark('end')}</w:p>",
    "field without an end": f"<w:p>{mark('begin')}{code(' REF x ')}{run('90000')}</w:p>",
    "numbers of an unknown kind": '<w:p><w:pPr><w:numPr><w:numId w:val="9"/></w:numPr></w:pPr></w:p>',
}

STYLES = (
    '<w:style w:type="character" w:styleId="Hidden"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Child"><w:basedOn w:val="Hidden"/></w:style>'
    '<w:style w:type="character" w:styleId="Struck"><w:rPr><w:strike/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Gone"><w:basedOn w:val="Struck"/></w:style>'
    '<w:style w:type="character" w:styleId="Raised"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Dark"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Listed"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
)


def paragraph(inner: str, properties: str = "") -> str:
    return f"<w:p>{properties and f'<w:pPr>{properties}</w:pPr>'}{inner}</w:p>"


def level(at: int, form: str, text: str, more: str = "") -> str:
    """One level of a list."""
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
    )


NUMBERING = (
    f'<w:abstractNum w:abstractNumId="1">{level(0, "chineseCountingThousand", "%1、")}'
    f"{level(1, 'decimal', '%2.')}{level(2, 'decimal', '%1.%2.%3')}</w:abstractNum>"
    f'<w:abstractNum w:abstractNumId="9">{level(0, "thaiCounting", "%1")}</w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/>'
    '</w:lvlOverride></w:num><w:num w:numId="9"><w:abstractNumId w:val="9"/></w:num>'
)


def part(name: str, inner: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{name} {DECLARED}>{inner}</w:{name}>'


def word_file(body: str, *, notes: str = "", numbering: str = NUMBERING, styles: str = STYLES) -> bytes:
    """A .docx file with a body; `notes`: its footnotes."""
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    kinds = {"document": f"{main}.document.main+xml", "numbering": f"{main}.numbering+xml"}
    kinds |= {"styles": f"{main}.styles+xml", "footnotes": f"{main}.footnotes+xml"}
    types = "".join(f'<Override PartName="/word/{name}.xml" ContentType="{kind}"/>' for name, kind in kinds.items())
    plain = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    plain += '<Default Extension="xml" ContentType="application/xml"/>'
    package = "http://schemas.openxmlformats.org/package/2006"
    below = "".join(
        f'<Relationship Id="r{name}" Type="{RELATIONS}/{name}" Target="{name}.xml"/>'
        for name in kinds
        if name != "document"
    )
    above = f'<Relationship Id="r1" Type="{RELATIONS}/officeDocument" Target="word/document.xml"/>'
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">{plain}{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">{above}</Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">{below}</Relationships>',
        "word/document.xml": part("document", f"<w:body>{body}</w:body>"),
        "word/numbering.xml": part("numbering", numbering),
        "word/styles.xml": part("styles", styles),
        "word/footnotes.xml": part("footnotes", notes),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package_file:
        for name, text in files.items():
            package_file.writestr(name, text)
    return made.getvalue()
