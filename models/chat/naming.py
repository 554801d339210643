"""Languages and scripts as a chat model reads them: by name, with their codes."""

from __future__ import annotations

from core.text import primary_tag

_LANGUAGES = {
    "bn": "Bengali",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "gu": "Gujarati",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "kn": "Kannada",
    "ml": "Malayalam",
    "mr": "Marathi",
    "pa": "Punjabi",
    "pt": "Portuguese",
    "ta": "Tamil",
    "te": "Telugu",
    "ur": "Urdu",
    "zh": "Mandarin Chinese",
}
_SCRIPTS = {
    "Arab": "Arabic",
    "Beng": "Bengali",
    "Cyrl": "Cyrillic",
    "Deva": "Devanagari",
    "Gujr": "Gujarati",
    "Guru": "Gurmukhi",
    "Hans": "simplified Chinese",
    "Hant": "traditional Chinese",
    "Jpan": "Japanese",
    "Knda": "Kannada",
    "Latn": "Latin",
    "Mlym": "Malayalam",
    "Taml": "Tamil",
    "Telu": "Telugu",
}


def language_and_script(language: str, script: str) -> str:
    """Such as `Hindi (hi) in Devanagari script (Deva)`; a code without a name here stands for itself."""
    named = _LANGUAGES.get(primary_tag(language))
    written = _SCRIPTS.get(script)
    spoken = f"{named} ({language})" if named else f"the language {language}"
    return f"{spoken} in {written} script ({script})" if written else f"{spoken} in the script {script}"
