package latex

// signs are commands that show signs.
var signs = map[string]string{
	"#": "#", "$": "$", "%": "%", "&": "&", "_": "_", "{": "{", "}": "}", " ": " ", "\n": " ", "\t": " ", ",": " ", ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": "", "quad": " ", "qquad": "  ",
	"textbackslash": `\`, "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">", "textunderscore": "_", "textdollar": "$",
	"textbraceleft": "{", "textbraceright": "}", "textquotesingle": "'", "textquotedbl": `"`, "textasciigrave": "`", "textemdash": "—", "textendash": "–", "textellipsis": "…",
	"ldots": "…", "dots": "…", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "lq": "‘", "rq": "’", "guillemotleft": "«",
	"guillemotright": "»", "guillemetleft": "«", "guillemetright": "»", "flqq": "«", "frqq": "»", "glqq": "„", "grqq": "“", "quotedblbase": "„", "quotesinglbase": "‚", "og": "« ", "fg": " »",
	"ss": "ß", "SS": "SS", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð",
	"th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "S": "§", "P": "¶", "textsection": "§", "textparagraph": "¶", "dag": "†", "ddag": "‡", "textdagger": "†",
	"copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™", "pounds": "£", "textsterling": "£", "euro": "€", "texteuro": "€", "EUR": "€", "textdegree": "°",
	"textbullet": "•", "textperiodcentered": "·", "textmu": "µ", "texttimes": "×", "textpm": "±", "checkmark": "✓", "textordfeminine": "ª", "textordmasculine": "º",
	"TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "XeTeX": "XeTeX", "XeLaTeX": "XeLaTeX", "LuaTeX": "LuaTeX", "LuaLaTeX": "LuaLaTeX", "pdfTeX": "pdfTeX",
	"AmS": "AMS", "AmSTeX": "AMS-TeX", "eTeX": "eTeX", "ConTeXt": "ConTeXt", "MF": "METAFONT", "MP": "MetaPost", "slash": "/", "space": " ", "nobreakspace": "\u00a0", "enspace": " ",
	"enskip": " ", "thinspace": " ", "negthinspace": "", "textvisiblespace": "␣", "arrow": "→", "textrightarrow": "→", "textleftarrow": "←", "ie": "i.e.", "eg": "e.g.",
	"abstractname": "Abstract", "contentsname": "Contents", "refname": "References", "bibname": "Bibliography", "figurename": "Figure", "tablename": "Table", "appendixname": "Appendix",
	"lbrack": "[", "rbrack": "]", "lbrace": "{", "rbrace": "}", "textcelsius": "°C", "textonehalf": "½", "textonequarter": "¼", "nobreakdash": "", "hyp": "-", "qed": "", "textohm": "Ω",
	"leavevmode": "", "textcent": "¢", "textyen": "¥", "textexclamdown": "¡", "textquestiondown": "¿", "textbardbl": "‖",
}

// accents are commands that put a mark on a letter, with the mark as a combining character.
var accents = map[string]string{
	"'": "\u0301", "`": "\u0300", "^": "\u0302", `"`: "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327",
	"d": "\u0323", "b": "\u0331", "r": "\u030a", "k": "\u0328", "G": "\u030f", "U": "\u030e", "t": "\u0361",
}

// dropped are commands of which nothing shows, with the number of arguments in braces that they take. What stands in brackets goes too.
var dropped = map[string]int{
	"documentclass": 1, "documentstyle": 1, "usepackage": 1, "RequirePackage": 1, "PassOptionsToPackage": 2, "pagestyle": 1, "thispagestyle": 1, "pagenumbering": 1, "setlength": 2, "addtolength": 2, "settowidth": 2,
	"settoheight": 2, "newlength": 1, "newcounter": 1, "vspace": 1, "hspace": 1, "vskip": 0, "hskip": 0, "kern": 0, "bibliographystyle": 1, "nocite": 1, "index": 1, "glossary": 1, "makeindex": 0,
	"printindex": 0, "tableofcontents": 0, "listoffigures": 0, "listoftables": 0, "newpage": 0, "clearpage": 0, "cleardoublepage": 0, "pagebreak": 0, "linebreak": 0, "nolinebreak": 0, "nopagebreak": 0,
	"includegraphics": 1, "graphicspath": 1, "DeclareGraphicsExtensions": 1, "hypersetup": 1, "geometry": 1, "lstset": 1, "lstdefinestyle": 2, "lstdefinelanguage": 2, "definecolor": 3, "color": 1,
	"pagecolor": 1, "usetikzlibrary": 1, "tikzset": 1, "tikzstyle": 1, "pgfplotsset": 1, "usetheme": 1, "usecolortheme": 1, "usefonttheme": 1, "useinnertheme": 1, "useoutertheme": 1, "setbeamertemplate": 1,
	"setbeamercolor": 2, "setbeamerfont": 2, "setbeamersize": 1, "AtBeginSection": 1, "AtBeginSubsection": 1, "AtBeginDocument": 1, "AtEndDocument": 1, "addcontentsline": 3, "addtocontents": 2, "markboth": 2, "markright": 1,
	"fancyhead": 1, "fancyfoot": 1, "fancyhf": 1, "lhead": 1, "rhead": 1, "chead": 1, "lfoot": 1, "rfoot": 1, "cfoot": 1, "selectlanguage": 1, "setcitestyle": 1, "bibpunct": 6, "captionsetup": 1,
	"theoremstyle": 1, "newtheoremstyle": 9, "numberwithin": 2, "rule": 2, "phantom": 1, "hphantom": 1, "vphantom": 1, "fontsize": 2, "selectfont": 0, "fontfamily": 1, "fontseries": 1, "fontshape": 1,
	"setmainfont": 1, "setsansfont": 1, "setmonofont": 1, "inputencoding": 1, "hyphenation": 1, "DeclareUnicodeCharacter": 2, "usecounter": 1, "titleformat": 5, "titlespacing": 4, "addbibresource": 1, "newsavebox": 1,
	"sbox": 2, "savebox": 2, "usebox": 1, "looseness": 0, "raggedright": 0, "raggedleft": 0, "centering": 0, "noindent": 0, "indent": 0, "smallskip": 0, "medskip": 0, "bigskip": 0, "vfill": 0, "hfill": 0, "hfil": 0,
	"dotfill": 0, "hrulefill": 0, "makeatletter": 0, "makeatother": 0, "sloppy": 0, "fussy": 0, "protect": 0, "relax": 0, "null": 0, "pause": 0, "frontmatter": 0, "mainmatter": 0, "backmatter": 0, "onecolumn": 0,
	"twocolumn": 0, "bfseries": 0, "itshape": 0, "ttfamily": 0, "sffamily": 0, "rmfamily": 0, "scshape": 0, "upshape": 0, "slshape": 0, "mdseries": 0, "normalfont": 0, "bf": 0, "it": 0, "tt": 0, "sf": 0, "rm": 0, "sc": 0,
	"sl": 0, "em": 0, "tiny": 0, "scriptsize": 0, "footnotesize": 0, "small": 0, "normalsize": 0, "large": 0, "Large": 0, "LARGE": 0, "huge": 0, "Huge": 0, "hline": 0, "toprule": 0, "midrule": 0, "bottomrule": 0,
	"cline": 1, "cmidrule": 1, "addlinespace": 0, "arraystretch": 0, "centerline": 0, "allowbreak": 0, "xspace": 0, "ignorespaces": 0, "unskip": 0, "endgroup": 0, "begingroup": 0, "global": 0, "long": 0, "expandafter": 0,
	"noexpand": 0, "baselineskip": 0, "linewidth": 0, "textwidth": 0, "columnwidth": 0, "textheight": 0, "parskip": 0, "parindent": 0, "tabularnewline": 0, "endhead": 0, "endfirsthead": 0, "endfoot": 0, "endlastfoot": 0,
	"enlargethispage": 1, "thanksmark": 1, "hypertarget": 1, "hyperlink": 1, "raisebox": 1, "scalebox": 1, "rotatebox": 1, "resizebox": 2, "textcolor": 1, "colorbox": 1, "fcolorbox": 2, "parbox": 1, "foreignlanguage": 1, "multicolumn": 0,
	"stepcounter": 1, "refstepcounter": 1, "ProvidesPackage": 1, "NeedsTeXFormat": 1, "ProvidesFile": 1, "ProvidesClass": 1, "DeclareOption": 2, "ProcessOptions": 0, "ExecuteOptions": 1, "renewbibmacro": 2, "bibinfo": 1, "bibfield": 1, "bibnamefont": 0, "bibfnamefont": 0,
	"balance": 0, "IEEEpeerreviewmaketitle": 0, "printbibliography": 0, "newblock": 0, "bibcommenthead": 0, "natexlab": 0, "urlstyle": 1, "UrlFont": 0, "crefname": 3, "Crefname": 3, "DeclarePairedDelimiter": 3, "allowdisplaybreaks": 0, "bmhead": 0,
	"stretch": 1, "titlegraphic": 1, "logo": 1, "phantomsection": 0, "raggedbottom": 0, "flushbottom": 0, "sisetup": 1, "pdfbookmark": 2, "hyphenpenalty": 0, "tolerance": 0, "emergencystretch": 0, "vbox": 0, "hbox": 0, "mbox": 0, "fbox": 0, "makebox": 0, "framebox": 0, "string": 0, "DeclareFontFamily": 3, "DeclareMathSymbol": 4, "DeclareSymbolFont": 5,
	"DocInput": 0, "GetFileInfo": 1, "CheckSum": 1, "DoNotIndex": 1, "EnableCrossrefs": 0, "CodelineIndex": 0, "RecordChanges": 0, "setkeys": 2, "AtBeginEnvironment": 2, "pretocmd": 4, "apptocmd": 4, "patchcmd": 5, "mathtoolsset": 1, "glsresetall": 0, "setuptoc": 2, "KOMAoptions": 1, "setkomafont": 2, "addtokomafont": 2, "makeglossaries": 0,
	"lstinputlisting": 1, "verbatiminput": 1, "inputminted": 2, "includepdf": 1, "SetKwInOut": 2, "bibliographyunit": 1, "flushleft": 0, "tolerence": 0, "sectionmark": 1, "chaptermark": 1, "columnbreak": 0, "newcolumntype": 2, "extrarowheight": 0, "tabcolsep": 0, "hangindent": 0, "hangafter": 0, "FloatBarrier": 0, "suppressfloats": 0, "counterwithin": 2, "counterwithout": 2, "ensurelength": 1, "specialrule": 3, "strut": 0, "vline": 0, "color@begingroup": 0,
}

// textual are commands whose argument shows, and whose options do not.
var textual = map[string]bool{
	"textbf": true, "textit": true, "texttt": true, "textsf": true, "textsc": true, "textsl": true, "textrm": true, "textup": true, "textmd": true, "textnormal": true, "emph": true, "underline": true, "uline": true,
	"textsuperscript": true, "textsubscript": true, "mbox": true, "hbox": true, "fbox": true, "makebox": true, "framebox": true, "alert": true, "structure": true, "only": true, "onslide": true, "uncover": true, "visible": true,
	"MakeUppercase": true, "uppercase": true, "parbox": true, "text": true, "sout": true, "hl": true, "textmarker": true, "enquote": false,
}

// environments are those whose meaning is known.
var environments = map[string]bool{
	"document": true, "itemize": true, "enumerate": true, "description": true, "verbatim": true, "lstlisting": true, "minted": true, "tabular": true, "tabularx": true, "longtable": true, "figure": true, "table": true,
	"equation": true, "align": true, "abstract": true, "quote": true, "thebibliography": true, "frame": true, "proof": true, "center": true, "comment": true,
}

// arguments are how many arguments in braces an environment takes that do not show.
var arguments = map[string]int{
	"minipage": 1, "multicols": 1, "wrapfigure": 2, "wraptable": 2, "adjustwidth": 2, "textblock": 1, "columns": 0, "column": 1, "spacing": 1, "adjustbox": 1, "tcolorbox": 0, "mdframed": 0, "subfigure": 1, "subtable": 1,
	"thebibliography": 1, "list": 2, "otherlanguage": 1, "otherlanguage*": 1, "SCfigure": 0, "floatrow": 0, "parcolumns": 1, "addmargin": 1, "CJK": 2, "CJK*": 2, "onlyenv": 0, "overlayarea": 2, "overprint": 0, "IEEEkeywords": 0, "IEEEbiography": 1, "mpsupertabular": 0,
}
