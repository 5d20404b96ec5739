"""What may be used here: every method that could answer a question, tried by the machinery that refuses and cautions.

`attempt` turns one try into a verdict; `estimating`, `comparing` and `ranking` try the methods of a question on what
was seen; `before_run` rehearses designs before anything is fitted; `advise` is the verb.
"""
