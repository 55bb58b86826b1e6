"""Methods that learn from positive and unlabeled rows, one module a family, each a scikit-learn classifier.

``fit(X, s)`` takes observed labels (1 labeled positive; 0, -1 or False unlabeled). After it, ``notes_`` lists what a
reader of the run should know, and ``score_function`` names the method whose output a benchmark ranks by.
"""
