"""The service: recorders type on their phones, others follow, the director rules, and nobody sees what is not theirs.

It stands on the top floor beside `cli`; `kibitz serve` runs it. Its packages come with the extra `kibitz[serve]`.
"""
