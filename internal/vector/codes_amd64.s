//go:build !purego

#include "textflag.h"

// func dotsWide(sums []int32, codes, q []byte)
//
// A group is 32 bytes of codes and 64 of q. VPMADDUBSW multiplies codes of 0 to 15 with numbers of -127 to 127 and adds two products, which fit
// into 16 bits, and so does the sum of two such sums; VPMADDWD with ones widens them to 32 bits.
TEXT ·dotsWide(SB), NOSPLIT, $0-72
	MOVQ         sums_base+0(FP), DI
	MOVQ         sums_len+8(FP), CX
	MOVQ         codes_base+24(FP), SI
	MOVQ         q_base+48(FP), DX
	MOVQ         q_len+56(FP), R8
	SHRQ         $6, R8
	TESTQ        CX, CX
	JZ           done
	TESTQ        R8, R8
	JZ           done
	MOVL         $0x0f0f0f0f, AX
	VMOVD        AX, X6
	VPBROADCASTD X6, Y6
	MOVL         $0x00010001, AX
	VMOVD        AX, X7
	VPBROADCASTD X7, Y7

row:
	VPXOR Y0, Y0, Y0
	MOVQ  DX, R9
	MOVQ  R8, R10

group:
	VMOVDQU    (SI), Y1
	PREFETCHT0 4096(SI)
	VPSRLW     $4, Y1, Y2
	VPAND      Y6, Y1, Y1
	VPAND      Y6, Y2, Y2
	VPMADDUBSW (R9), Y1, Y1
	VPMADDUBSW 32(R9), Y2, Y2
	VPADDW     Y1, Y2, Y1
	VPMADDWD   Y7, Y1, Y1
	VPADDD     Y1, Y0, Y0
	ADDQ       $32, SI
	ADDQ       $64, R9
	DECQ       R10
	JNZ        group

	VEXTRACTI128 $1, Y0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0x4e, X0, X1
	VPADDD       X1, X0, X0
	VPSHUFD      $0xb1, X0, X1
	VPADDD       X1, X0, X0
	VMOVD        X0, (DI)
	ADDQ         $4, DI
	DECQ         CX
	JNZ          row
	VZEROUPPER

done:
	RET
