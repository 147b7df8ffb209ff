"""An object and the answer that should be like it → how complete, invented, accurate and safe the answer is."""
