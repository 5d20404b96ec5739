"""Make log.csv: two simulated models that answer questions on passages, a row for each question and model.

Make graded.csv too: the same kind of log with several answers to each question, graded 0 or 1.
"""

from pathlib import Path

import numpy as np

random = np.random.default_rng(4)
lines = ["question,passage,model,correct,loss"]
for question in range(120):
    difficulty = random.normal()
    for model, strength in (("small", 0.6), ("large", 1.2)):
        chance = 1 / (1 + np.exp(difficulty - strength + random.normal(0, 0.5)))
        right = int(random.random() < chance)
        lines.append(f"q{question + 1},p{question // 4 + 1},{model},{right},{-np.log(max(chance, 1e-3)):.4f}")
(Path(__file__).parent / "log.csv").write_text("\n".join(lines) + "\n")

random = np.random.default_rng(5)
lines = ["question,passage,model,sample,grade"]
for passage in range(30):
    of_passage = random.normal(0, 1)
    for question in range(2 * passage + 1, 2 * passage + 3):
        difficulty = of_passage + random.normal(0, 1)
        for model, strength, samples in (("small", 0.0, 3), ("large", 0.7, 5)):
            chance = 1 / (1 + np.exp(difficulty - strength))
            for sample in range(1, samples + 1):
                lines.append(f"q{question},p{passage + 1},{model},{sample},{int(random.random() < chance)}")
(Path(__file__).parent / "graded.csv").write_text("\n".join(lines) + "\n")
