//go:build !purego

#include "textflag.h"

// Instructions that the assembler has no name for. n and m are the sources, d what is set.
#define FMUL(n, m, d) WORD $(0x6e20dc00 | m<<16 | n<<5 | d)
#define FADD(n, m, d) WORD $(0x4e20d400 | m<<16 | n<<5 | d)

// func lanesWide(sums *[8]float32, a, b unsafe.Pointer, n int)
//
// It adds to each of eight sums the products of every eighth number, as Dot does: rounded, and not fused.
TEXT ·lanesWide(SB), NOSPLIT, $0-32
	MOVD sums+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD n+24(FP), R3
	VLD1 (R0), [V0.S4, V1.S4]
	LSR  $3, R3
	CBZ  R3, done

eight:
	VLD1.P 32(R1), [V2.S4, V3.S4]
	VLD1.P 32(R2), [V4.S4, V5.S4]
	FMUL(2, 4, 2)
	FMUL(3, 5, 3)
	FADD(0, 2, 0)
	FADD(1, 3, 1)
	SUB    $1, R3
	CBNZ   R3, eight

done:
	VST1 [V0.S4, V1.S4], (R0)
	RET
