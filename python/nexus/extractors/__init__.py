"""How each kind of item becomes text: one package per kind, all behind `interface`."""
