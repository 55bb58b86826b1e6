"""The configuration: studies, data sets, methods and options as typed, checked blocks of YAML."""
