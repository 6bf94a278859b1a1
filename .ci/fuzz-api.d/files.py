"""Files of questions for the operations that import them: parts of each format, cut and joined, between other bytes."""

import io
import zipfile

ITEM = b"""<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="i" title="Storage" adaptive="false" timeDependent="false">
<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>
<itemBody><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>How cold?</prompt>
<simpleChoice identifier="a">2 to 8 \xc2\xb0C</simpleChoice><simpleChoice identifier="b">20 \xc2\xb0C</simpleChoice></choiceInteraction></itemBody></assessmentItem>"""
MOODLE = b"""<?xml version="1.0" encoding="UTF-8"?><quiz><question type="numerical"><name><text>Dose</text></name>
<questiontext format="html"><text><![CDATA[<p>2.5 mg/kg for 70 kg?</p>]]></text></questiontext><answer fraction="100"><text>175</text></answer></question></quiz>"""


def package():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("imsmanifest.xml", '<manifest><resources><resource type="imsqti_item_xmlv2p2" href="i.xml"/></resources></manifest>')
        archive.writestr("i.xml", ITEM)
    return out.getvalue()


WHOLE = [
    b"1. How cold?\na) 2 to 8\nb) 20\nAnswer: A\n\n", b"What is kept cold?\n- [x] Insulin\n- [ ] Salt\n\n",
    b"::Cold:: How cold? {=2 to 8 ~20}\n\n", b"Dose? {#175:0.5}\n\n", b"How cold?\nA. 2 to 8\nB. 20\nANSWER: A\n\n",
    b"Question,A,B,Correct,Points\nHow cold?,2 to 8,20,A,2\n", b"Frage;Antwort 1;Antwort 2;L\xc3\xb6sung\nWie kalt?;2 bis 8;20;1\n",
    b'{"title": "Storage", "stages": [{"title": "S", "questions": [{"type": "NUMERIC", "prompt": "Dose?", "points": 1, "answer": 175}]}]}',
    b"Formula $x^2$ and $$\\frac{1}{2}$$ and ![A fridge](media:med_01kae3v5zg8r6w2c4n7q9t1x3y)\n", ITEM, MOODLE, package(),
]


def questions(random):
    """Returns a file, mostly of several parts."""
    parts = [random.choice(WHOLE)]
    while random.random() < 0.6:
        part = random.choice(WHOLE)
        match random.randrange(3):
            case 0:
                parts.append(part)
            case 1:
                parts.append(part[:random.randrange(len(part))])
            case 2:
                parts.append(random.randbytes(random.randrange(20)))
    random.shuffle(parts)
    return b"".join(parts)
