//go:build !purego

#include "textflag.h"

// func lanesWide(sums *[8]float32, a, b unsafe.Pointer, n int)
//
// It adds to each of eight sums the products of every eighth number, as Dot does: rounded, and not fused.
TEXT ·lanesWide(SB), NOSPLIT, $0-32
	MOVQ    sums+0(FP), DI
	MOVQ    a+8(FP), SI
	MOVQ    b+16(FP), DX
	MOVQ    n+24(FP), CX
	VMOVUPS (DI), Y0
	SHRQ    $3, CX
	JZ      done

eight:
	VMOVUPS (SI), Y1
	VMULPS  (DX), Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $32, SI
	ADDQ    $32, DX
	DECQ    CX
	JNZ     eight

done:
	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET
