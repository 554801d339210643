"""What a listener reads out of words in the languages of India, and how sentences and names are put into words."""

from __future__ import annotations

from datetime import date

import pytest

from core.phrases import load_phrases
from core.spoken import Kind, find_value, read, say, say_text, units
from core.spoken.indic import CODES
from core.spoken.indic.folded import script_folded

NOW = date(2026, 3, 10)
"""A Tuesday."""

READ = [
    ("hi", "नौ आठ सात, छह पाँच चार, तीन दो एक शून्य", Kind.DIGITS, ["9876543210"]),
    ("hi", "डबल नाइन वन टू", Kind.DIGITS, ["9912"]),
    ("hi", "मेरा पिन चार चार पाँच पाँच है", Kind.DIGITS, ["4455"]),
    ("hi", "आठ सौ पाँच पाँच पाँच", Kind.DIGITS, ["800555"]),
    ("hi", "चार लोगों के लिए", Kind.DIGITS, []),
    ("hi", "हम वन में थे", Kind.DIGITS, []),
    ("hi", "ढाई लाख रुपये", Kind.MONEY, [250000.0]),
    ("hi", "सवा सौ रुपये", Kind.MONEY, [125.0]),
    ("hi", "₹1.5 लाख", Kind.MONEY, [150000.0]),
    ("hi", "पाँच सौ रुपये और पचास पैसे", Kind.MONEY, [500.5]),
    ("hi", "रु. 1,25,000/-", Kind.MONEY, [125000.0]),
    ("hi", "एक मिनट रुकिए", Kind.NUMBER, []),
    ("hi", "साढ़े पाँच", Kind.NUMBER, [5.5]),
    ("hi", "शाम के छह बजे", Kind.TIME, ["18:00"]),
    ("hi", "दस बजने में पाँच मिनट", Kind.TIME, ["09:55"]),
    ("hi", "रात पौने बारह बजे", Kind.TIME, ["23:45"]),
    ("hi", "कल आऊँगा", Kind.DATE, ["2026-03-11"]),
    ("hi", "कल गया था", Kind.DATE, ["2026-03-09"]),
    ("hi", "कल", Kind.DATE, []),
    ("hi", "परसों पैसे मिले थे", Kind.DATE, ["2026-03-08"]),
    ("hi", "अगले सोमवार को", Kind.DATE, ["2026-03-16"]),
    ("hi", "पंद्रह तारीख को", Kind.DATE, ["2026-03-15"]),
    ("hi", "तीन दिन बाद", Kind.DATE, ["2026-03-13"]),
    ("hi", "आर ए वी आई एट जीमेल डॉट कॉम", Kind.EMAIL, ["ravi@gmail.com"]),
    ("hi", "ravi अंडरस्कोर चार दो ऐट द रेट याहू डॉट को डॉट इन", Kind.EMAIL, ["ravi_42@yahoo.co.in"]),
    ("hi", "क्यू एक्स तीन तीन आठ", Kind.CODE, ["QX338"]),
    ("hi", "शर्मा जी के चार टिकट", Kind.CODE, []),
    ("hi", "मेरा PAN ABCDE1234F है", Kind.CODE, ["ABCDE1234F"]),
    ("hi", "सौ प्रतिशत", Kind.MONEY, []),
    ("hi", "24/7 खुला", Kind.DATE, []),
    ("hi", "मेरा नाम रवि कुमार है", Kind.NAME, ["रवि कुमार"]),
    ("hi", "मैं दिल्ली से हूँ", Kind.NAME, []),
    ("hi", "जी हाँ, सही है", Kind.YES_NO, [True]),
    ("hi", "ठीक नहीं है", Kind.YES_NO, [False]),
    ("hi", "मुझे नहीं पता", Kind.YES_NO, []),
    ("gu", "ડબલ નવ, એક બે", Kind.DIGITS, ["9912"]),
    ("gu", "પોણા નવસો રૂપિયા", Kind.MONEY, [875.0]),
    ("gu", "સાંજે સાડા છ વાગ્યે", Kind.TIME, ["18:30"]),
    ("gu", "આવતીકાલે સવારે", Kind.DATE, ["2026-03-11"]),
    ("gu", "કાલે", Kind.DATE, []),
    ("gu", "મારું નામ રવિ પટેલ છે", Kind.NAME, ["રવિ પટેલ"]),
    ("gu", "બરાબર નથી", Kind.YES_NO, [False]),
    ("ta", "ஒன்பது எட்டு, அஞ்சு மூணு", Kind.DIGITS, ["9853"]),
    ("ta", "இருபத்தி அஞ்சு ரூபாய்", Kind.MONEY, [25.0]),
    ("ta", "தொண்ணூற்றொன்பதாயிரத்து தொள்ளாயிரத்து ஒன்று", Kind.NUMBER, [99901]),
    ("ta", "மாலை ஆறரை மணிக்கு", Kind.TIME, ["18:30"]),
    ("ta", "இரண்டு மணி நேரம்", Kind.TIME, []),
    ("ta", "நாளை மறுநாள்", Kind.DATE, ["2026-03-12"]),
    ("ta", "நேற்று", Kind.DATE, ["2026-03-09"]),
    ("ta", "என் பெயர் ரவி குமார்", Kind.NAME, ["ரவி குமார்"]),
    ("ta", "சரி இல்லை", Kind.YES_NO, [False]),
    ("mr", "डबल नऊ, एक दोन", Kind.DIGITS, ["9912"]),
    ("mr", "दीडशे रुपये", Kind.MONEY, [150.0]),
    ("mr", "संध्याकाळी पावणेसहा वाजता", Kind.TIME, []),
    ("mr", "संध्याकाळी पावणे सहा वाजता", Kind.TIME, ["17:45"]),
    ("mr", "दहा वाजून पाच मिनिटांनी", Kind.TIME, ["10:05"]),
    ("mr", "काल", Kind.DATE, ["2026-03-09"]),
    ("mr", "परवा येणार", Kind.DATE, ["2026-03-12"]),
    ("mr", "माझं नाव रवी जोशी आहे", Kind.NAME, ["रवी जोशी"]),
    ("mr", "बरोबर आहे", Kind.YES_NO, [True]),
    ("bn", "নয় আট সাত, ছয় পাঁচ", Kind.DIGITS, ["98765"]),
    ("bn", "দেড়শো টাকা", Kind.MONEY, [150.0]),
    ("bn", "বিকেল পাঁচটায়", Kind.TIME, ["17:00"]),
    ("bn", "পাঁচটা বই", Kind.TIME, []),
    ("bn", "কাল আসব", Kind.DATE, ["2026-03-11"]),
    ("bn", "কাল গিয়েছিলাম", Kind.DATE, ["2026-03-09"]),
    ("bn", "এটা ঠিক নয়", Kind.NUMBER, []),
    ("bn", "আমার নাম রবি সেন", Kind.NAME, ["রবি সেন"]),
    ("bn", "ঠিক নয়", Kind.YES_NO, [False]),
    ("te", "తొమ్మిది ఎనిమిది, ఐదు మూడు", Kind.DIGITS, ["9853"]),
    ("te", "పంతొమ్మిది వందల రూపాయలు", Kind.MONEY, [1900.0]),
    ("te", "సాయంత్రం ఆరున్నర గంటలకు", Kind.TIME, ["18:30"]),
    ("te", "రెండు గంటలు పట్టింది", Kind.TIME, []),
    ("te", "ఎల్లుండి", Kind.DATE, ["2026-03-12"]),
    ("te", "నా పేరు రవి కుమార్", Kind.NAME, ["రవి కుమార్"]),
    ("te", "కరెక్ట్ కాదు", Kind.YES_NO, [False]),
    ("kn", "ಒಂಬತ್ತು ಎಂಟು, ಐದು ಮೂರು", Kind.DIGITS, ["9853"]),
    ("kn", "ನೂರಿಪ್ಪತ್ತೈದು ರೂಪಾಯಿ", Kind.MONEY, [125.0]),
    ("kn", "ಸಂಜೆ ಆರೂವರೆ ಗಂಟೆಗೆ", Kind.TIME, ["18:30"]),
    ("kn", "ನಾಡಿದ್ದು", Kind.DATE, ["2026-03-12"]),
    ("kn", "ಇನ್ನೂ ಬಂದಿಲ್ಲ", Kind.NUMBER, []),
    ("kn", "ನನ್ನ ಹೆಸರು ರವಿ ಗೌಡ", Kind.NAME, ["ರವಿ ಗೌಡ"]),
    ("kn", "ಸರಿ ಇಲ್ಲ", Kind.YES_NO, [False]),
]

SENTENCES = [
    ("hi", "₹1,25,000.50 का बिल 15/03/2026 को आया।", "एक लाख पच्चीस हज़ार रुपये पचास पैसे का बिल पंद्रह मार्च दो हज़ार छब्बीस को आया।"),
    ("hi", "सुबह 9:30 बजे", "सुबह साढ़े नौ बजे"),
    ("hi", "14:20", "चौदह बजकर बीस मिनट"),
    ("hi", "10:15 PM", "रात सवा दस बजे"),
    ("hi", "5वीं मंज़िल, 3-5 दिन", "पाँचवीं मंज़िल, तीन से पाँच दिन"),
    ("hi", "कोड QX-338805, 15% छूट", "कोड क्यू, एक्स, तीन तीन आठ, आठ शून्य पाँच, पंद्रह प्रतिशत छूट"),
    ("hi", "डॉ. शर्मा, रु. 500", "डॉक्टर शर्मा, पाँच सौ रुपये"),
    ("hi", "सन 2019 में, ट्रेन 12952", "सन दो हज़ार उन्नीस में, ट्रेन एक दो नौ पाँच दो"),
    ("hi", "$5.50", "पाँच दशमलव पाँच शून्य डॉलर"),
    ("hi", "ravi.k@gmail.com पर लिखें", "ravi डॉट k ऐट जीमेल डॉट कॉम पर लिखें"),
    ("ta", "₹2,500", "இரண்டாயிரத்து ஐநூறு ரூபாய்"),
    ("te", "₹1,250", "వెయ్యి రెండు వందల యాభై రూపాయలు"),
    ("kn", "₹1,250", "ಸಾವಿರದ ಇನ್ನೂರ ಐವತ್ತು ರೂಪಾಯಿ"),
    ("bn", "সকাল 9:30টায়", "সকাল সাড়ে নয়টায়"),
    ("mr", "12/08/1982", "बारा ऑगस्ट एकोणीसशे ब्याऐंशी"),
    ("gu", "250 રૂપિયા", "બસો પચાસ રૂપિયા"),
]


@pytest.mark.parametrize(("language", "text", "kind", "expected"), READ)
def test_values_are_read(language: str, text: str, kind: Kind, expected: list[object]) -> None:
    """Values as callers say them; what is ambiguous, or no value at all, is left unread."""
    assert expected == [reading.value for reading in read(text, kind, language=language, now=NOW)]


@pytest.mark.parametrize(("language", "written", "spoken"), SENTENCES)
def test_sentences_are_verbalised(language: str, written: str, spoken: str) -> None:
    """Figures and signs come out in words, which cost no word errors."""
    assert spoken == say_text(written, language)
    assert [unit.text for unit in units(written, language)] == [unit.text for unit in units(spoken, language)]


@pytest.mark.parametrize("language", CODES)
def test_phrases_keep_their_values_when_spoken(language: str) -> None:
    """Every value of every phrase is found in its spoken form too, which costs no word errors and holds no figure."""
    phrases = load_phrases(language)
    for phrase in phrases.phrases:
        spoken = say_text(phrase.text, language)
        assert [unit.text for unit in units(phrase.text, language)] == [unit.text for unit in units(spoken, language)]
        assert not any(char.isdecimal() for char in spoken)
        for value in phrase.values:
            assert find_value(value.value, value.kind, spoken, language=language, now=phrases.now) is not None, phrase.id


def test_choices_are_read_whole() -> None:
    """An option is found as whole words, in any spelling that counts as the same."""
    assert ["प्रीमियम प्लान"] == [
        item.value for item in read("मुझे प्रीमियम प्लान चाहिए", Kind.CHOICE, language="hi", choices=["प्लान", "प्रीमियम प्लान"])
    ][:1]
    assert [] == read("मुझे प्लानिंग चाहिए", Kind.CHOICE, language="hi", choices=["प्लान"])


def test_names_are_spelled_sign_by_sign() -> None:
    """Native names by the signs a reader sees, Latin ones by the names of the letters."""
    assert "र, वि. कु, मा, र" == say("रवि कुमार", Kind.NAME, language="hi", spell=True)
    assert "आर, ए, वी, आई" == say("Ravi", Kind.NAME, language="hi", spell=True)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("મારું નામ", "मारुं नाम"), ("ನಾಮ", "नाम"), ("నామ", "नाम"), ("নাম", "नाम"), ("நாம", "नाम"), ("OTP ५, हाँ।", "OTP ५, हाँ।")],
)
def test_scripts_fold_into_one(text: str, folded: str) -> None:
    """Every Indic script comes out in Devanagari, character for character; everything else stays."""
    assert folded == script_folded(text)
