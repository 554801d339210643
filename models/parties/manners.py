"""The few phrases by which the scripted caller gets along in languages other than English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Manners:
    """What a caller says besides its lines, and the two things it must understand."""

    hello: str
    """Into silence."""
    waits: str
    """To an agent that told something."""
    yes: str
    """To a right read-back."""
    no: str
    """Before the value that a read-back has wrong; `{}` is the value."""
    goodbye: str
    """At the end."""
    again: tuple[str, ...]
    """Phrases of an agent that wants to hear the last words once more."""


MANNERS: Mapping[str, Manners] = {
    "hi": Manners(
        hello="हैलो?",
        waits="ठीक है।",
        yes="जी हाँ, सही है।",
        no="नहीं, {}।",
        goodbye="धन्यवाद, नमस्ते।",
        again=("दोबारा", "फिर से", "सुनाई नहीं"),
    ),
    "zh": Manners(
        hello="喂？",
        waits="好的。",
        yes="对，没错。",
        no="不对，是{}。",
        goodbye="谢谢，再见。",
        again=("再说一遍", "再说一次", "重复一遍", "没听清"),
    ),
    "gu": Manners(
        hello="હેલો?",
        waits="સારું.",
        yes="હા, બરાબર છે.",
        no="ના, {}.",
        goodbye="આભાર, આવજો.",
        again=("ફરીથી કહો", "ફરીથી કહેશો", "ફરીથી બોલો", "ફરી કહો", "ફરી કહેશો", "ફરી બોલશો", "સંભળાયું નહીં", "સંભળાયું નથી"),
    ),
    "mr": Manners(
        hello="हॅलो?",
        waits="ठीक आहे.",
        yes="हो, बरोबर आहे.",
        no="नाही, {}.",
        goodbye="धन्यवाद, नमस्कार.",
        again=("पुन्हा सांगा", "पुन्हा सांगाल", "परत सांगा", "परत सांगाल", "पुन्हा बोला", "ऐकू आलं नाही", "ऐकू आले नाही"),
    ),
    "ta": Manners(
        hello="ஹலோ?",
        waits="சரிங்க.",
        yes="ஆமாங்க, சரிதான்.",
        no="இல்லைங்க, {}.",
        goodbye="நன்றி, வணக்கம்.",
        again=(
            "மறுபடியும் சொல்லுங்க",
            "மறுபடியும் சொல்லுங்கள்",
            "மீண்டும் சொல்லுங்கள்",
            "மீண்டும் சொல்ல முடியுமா",
            "திரும்ப சொல்லுங்க",
            "திரும்பச் சொல்லுங்கள்",
            "திரும்பச் சொல்ல முடியுமா",
            "சரியாகக் கேட்கவில்லை",
        ),
    ),
    "bn": Manners(
        hello="হ্যালো?",
        waits="আচ্ছা।",
        yes="হ্যাঁ, ঠিক আছে।",
        no="না, {}।",
        goodbye="ধন্যবাদ, রাখছি।",
        again=("আবার বলুন", "আবার বলবেন", "আরেকবার বলুন", "আরেকবার বলবেন", "শুনতে পাইনি", "শুনতে পেলাম না"),
    ),
    "te": Manners(
        hello="హలో?",
        waits="సరేనండి.",
        yes="అవునండి, సరిగ్గానే ఉంది.",
        no="కాదండి, {}.",
        goodbye="ధన్యవాదాలు, ఉంటానండి.",
        again=("మళ్ళీ చెప్పండి", "మళ్లీ చెప్పండి", "మరోసారి చెప్పండి", "ఇంకోసారి చెప్పండి", "వినిపించలేదు"),
    ),
    "kn": Manners(
        hello="ಹಲೋ?",
        waits="ಸರಿ.",
        yes="ಹೌದು, ಸರಿಯಾಗಿದೆ.",
        no="ಇಲ್ಲ, {}.",
        goodbye="ಧನ್ಯವಾದ, ನಮಸ್ಕಾರ.",
        again=("ಮತ್ತೆ ಹೇಳಿ", "ಮತ್ತೊಮ್ಮೆ ಹೇಳಿ", "ಇನ್ನೊಮ್ಮೆ ಹೇಳಿ", "ಮತ್ತೆ ಹೇಳುತ್ತೀರಾ", "ಕೇಳಿಸಲಿಲ್ಲ"),
    ),
}
"""Language to manners."""
LANGUAGES = ("en", *MANNERS)
"""What the scripted caller speaks; anything else it refuses."""
