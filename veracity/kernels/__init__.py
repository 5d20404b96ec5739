"""Hot loops: arrays in, arrays out, compiled on demand."""
