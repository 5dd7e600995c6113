"""Systems as candidate annotators: `accordeur judge`, apart from agreement and from scores.

Only `candidate_agreement` computes a coefficient between a system and a human. Its values have
classes and keys of their own, and no table of agreement shows them.
"""
