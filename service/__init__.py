"""The service: recorders type on their phones, others follow, the director rules, and each sees only what they may.

It is on the top layer beside `cli`; `kibitz serve` runs it. Its dependencies come with the extra `kibitz[serve]`.
"""
