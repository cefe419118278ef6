package mathtext

// accents are commands that put a mark on a letter, with the mark as a combining character.
var accents = map[string]string{
	"hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304", "overline": "\u0304", "vec": "\u20d7", "dot": "\u0307",
	"ddot": "\u0308", "acute": "\u0301", "grave": "\u0300", "check": "\u030c", "breve": "\u0306", "underline": "\u0332", "mathring": "\u030a",
	"overrightarrow": "\u20d7",
}

// doubled are letters of \mathbb.
var doubled = map[string]string{
	"R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "H": "ℍ", "E": "𝔼", "F": "𝔽", "1": "𝟙",
}

// symbols are commands without arguments, with what they show. Blanks around it say that it is a relation or an operator.
var symbols = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ",
	"iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ",
	"varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
	"Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "digamma": "ϝ",

	"sum": "∑", "prod": "∏", "coprod": "∐", "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁",
	"bigotimes": "⨂", "bigvee": "⋁", "bigwedge": "⋀", "bigsqcup": "⨆",

	"le": " ≤ ", "leq": " ≤ ", "leqslant": " ≤ ", "ge": " ≥ ", "geq": " ≥ ", "geqslant": " ≥ ", "ne": " ≠ ", "neq": " ≠ ", "ll": " ≪ ", "gg": " ≫ ", "equiv": " ≡ ",
	"sim": " ∼ ", "simeq": " ≃ ", "approx": " ≈ ", "cong": " ≅ ", "propto": " ∝ ", "prec": " ≺ ", "succ": " ≻ ", "preceq": " ⪯ ", "succeq": " ⪰ ", "lt": " < ", "gt": " > ",
	"triangleq": " ≜ ", "doteq": " ≐ ", "coloneqq": " := ", "mid": " | ", "nmid": " ∤ ", "parallel": " ∥ ", "perp": " ⊥ ", "models": " ⊨ ", "vdash": " ⊢ ", "dashv": " ⊣ ",
	"in": " ∈ ", "notin": " ∉ ", "ni": " ∋ ", "subset": " ⊂ ", "subseteq": " ⊆ ", "subsetneq": " ⊊ ", "supset": " ⊃ ", "supseteq": " ⊇ ", "nsubseteq": " ⊈ ", "lesssim": " ≲ ", "gtrsim": " ≳ ",

	"pm": " ± ", "mp": " ∓ ", "times": " × ", "div": " ÷ ", "cdot": " · ", "ast": " * ", "star": " ⋆ ", "circ": "∘", "bullet": "•", "oplus": " ⊕ ", "ominus": " ⊖ ",
	"otimes": " ⊗ ", "odot": " ⊙ ", "cup": " ∪ ", "cap": " ∩ ", "setminus": " ∖ ", "smallsetminus": " ∖ ", "vee": " ∨ ", "lor": " ∨ ", "wedge": " ∧ ", "land": " ∧ ", "sqcup": " ⊔ ",
	"sqcap": " ⊓ ", "uplus": " ⊎ ", "amalg": " ⨿ ", "dagger": "†", "ddagger": "‡", "wr": "≀", "ltimes": " ⋉ ", "rtimes": " ⋊ ",

	"to": " → ", "rightarrow": " → ", "longrightarrow": " → ", "leftarrow": " ← ", "longleftarrow": " ← ", "gets": " ← ", "leftrightarrow": " ↔ ", "Rightarrow": " ⇒ ",
	"Longrightarrow": " ⇒ ", "implies": " ⇒ ", "Leftarrow": " ⇐ ", "impliedby": " ⇐ ", "Leftrightarrow": " ⇔ ", "Longleftrightarrow": " ⇔ ", "iff": " ⇔ ", "mapsto": " ↦ ",
	"longmapsto": " ↦ ", "hookrightarrow": " ↪ ", "rightharpoonup": " ⇀ ", "uparrow": "↑", "downarrow": "↓", "updownarrow": "↕", "nearrow": "↗", "searrow": "↘", "leadsto": " ⇝ ",
	"rightsquigarrow": " ⇝ ", "rightleftharpoons": " ⇌ ", "Uparrow": "⇑", "Downarrow": "⇓", "twoheadrightarrow": " ↠ ", "longleftrightarrow": " ↔ ", "nrightarrow": " ↛ ",

	"forall": "∀", "exists": "∃", "nexists": "∄", "neg": "¬", "lnot": "¬", "top": "⊤", "bot": "⊥", "emptyset": "∅", "varnothing": "∅", "infty": "∞", "partial": "∂", "nabla": "∇",
	"ell": "ℓ", "hbar": "ℏ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "wp": "℘", "angle": "∠", "triangle": "△", "square": "□", "Box": "□", "blacksquare": "■", "diamond": "⋄", "Diamond": "◇",
	"clubsuit": "♣", "heartsuit": "♥", "spadesuit": "♠", "surd": "√", "prime": "′", "backprime": "‵", "degree": "°", "imath": "ı", "jmath": "ȷ", "therefore": "∴", "because": "∵", "qed": "∎",
	"complement": "∁", "flat": "♭", "natural": "♮", "sharp": "♯", "checkmark": "✓", "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "euro": "€",

	"ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "dotsc": "…", "dotsb": "⋯", "dotsm": "⋯", "hdots": "…", "colon": ":", "quad": " ", "qquad": " ", "enspace": " ", "thinspace": " ", "space": " ",
	"langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]", "vert": "|", "lvert": "|",
	"rvert": "|", "Vert": "‖", "lVert": "‖", "rVert": "‖", "backslash": `\`, "lbrac": "{", "rbrac": "}", "llbracket": "⟦", "rrbracket": "⟧", "ulcorner": "⌜", "urcorner": "⌝",

	"sin": " sin ", "cos": " cos ", "tan": " tan ", "cot": " cot ", "sec": " sec ", "csc": " csc ", "arcsin": " arcsin ", "arccos": " arccos ", "arctan": " arctan ", "sinh": " sinh ",
	"cosh": " cosh ", "tanh": " tanh ", "coth": " coth ", "log": " log ", "ln": " ln ", "lg": " lg ", "exp": " exp ", "lim": " lim ", "limsup": " lim sup ", "liminf": " lim inf ",
	"max": " max ", "min": " min ", "sup": " sup ", "inf": " inf ", "arg": " arg ", "det": " det ", "dim": " dim ", "ker": " ker ", "gcd": " gcd ", "deg": " deg ", "hom": " hom ", "Pr": " Pr ",
}
