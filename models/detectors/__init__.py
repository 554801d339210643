"""Detectors of telecom fraud: classical baselines on words and sound, and chat models that are asked in words or sound."""
