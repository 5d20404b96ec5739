"""Make log.csv: two simulated models that answer questions on passages, a row for each question and model."""

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
