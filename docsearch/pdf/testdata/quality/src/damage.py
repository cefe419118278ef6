"""damage.py IN.pdf OUT.pdf: the file with a cross-reference table that is cut short and wrong, so that objects have to be looked for."""
import sys

s = open(sys.argv[1], 'rb').read()
at = s.rfind(b'xref\n', 0, s.rfind(b'startxref'))
open(sys.argv[2], 'wb').write(s[:at] + b'xref\n0 3\n0000000000 65535 f \n0000000007 00000 n \n' + s[s.find(b'trailer', at):])
