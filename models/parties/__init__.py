"""The offline parties: scripted caller, baseline candidate, rules judge."""
