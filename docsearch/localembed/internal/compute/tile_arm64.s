//go:build !purego

#include "textflag.h"

// ROW adds the product of one number of a, to whose next it steps, and four vectors of b to a row of the result.
#define ROW(at, c0, c1, c2, c3) \
	VLD1R.P 4(at), [V28.S4] \
	VFMLA V24.S4, V28.S4, c0 \
	VFMLA V25.S4, V28.S4, c1 \
	VFMLA V26.S4, V28.S4, c2 \
	VFMLA V27.S4, V28.S4, c3

// LOAD and STORE move a row, and step to the next.
#define LOAD(c0, c1, c2, c3) \
	VLD1 (R4), [c0, c1, c2, c3] \
	ADD R5, R4
#define STORE(c0, c1, c2, c3) \
	VST1 [c0, c1, c2, c3], (R6) \
	ADD R7, R6

// func tileNeon(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)
// 6 rows, 16 columns. It keeps its whole result in registers, as the tiles of other architectures do.
TEXT ·tileNeon(SB), NOSPLIT, $0-64
	MOVD k+0(FP), R0
	MOVD a+8(FP), R8
	MOVD lda+16(FP), R2
	MOVD b+24(FP), R3
	MOVD init+32(FP), R4
	MOVD ldi+40(FP), R5
	MOVD c+48(FP), R6
	MOVD ldc+56(FP), R7
	LSL  $2, R2
	LSL  $2, R5
	LSL  $2, R7
	ADD  R2, R8, R9
	ADD  R2, R9, R10
	ADD  R2, R10, R11
	ADD  R2, R11, R12
	ADD  R2, R12, R13
	LOAD(V0.S4, V1.S4, V2.S4, V3.S4)
	LOAD(V4.S4, V5.S4, V6.S4, V7.S4)
	LOAD(V8.S4, V9.S4, V10.S4, V11.S4)
	LOAD(V12.S4, V13.S4, V14.S4, V15.S4)
	LOAD(V16.S4, V17.S4, V18.S4, V19.S4)
	LOAD(V20.S4, V21.S4, V22.S4, V23.S4)

loop:
	VLD1.P 64(R3), [V24.S4, V25.S4, V26.S4, V27.S4]
	ROW(R8, V0.S4, V1.S4, V2.S4, V3.S4)
	ROW(R9, V4.S4, V5.S4, V6.S4, V7.S4)
	ROW(R10, V8.S4, V9.S4, V10.S4, V11.S4)
	ROW(R11, V12.S4, V13.S4, V14.S4, V15.S4)
	ROW(R12, V16.S4, V17.S4, V18.S4, V19.S4)
	ROW(R13, V20.S4, V21.S4, V22.S4, V23.S4)
	SUB    $1, R0
	CBNZ   R0, loop

	STORE(V0.S4, V1.S4, V2.S4, V3.S4)
	STORE(V4.S4, V5.S4, V6.S4, V7.S4)
	STORE(V8.S4, V9.S4, V10.S4, V11.S4)
	STORE(V12.S4, V13.S4, V14.S4, V15.S4)
	STORE(V16.S4, V17.S4, V18.S4, V19.S4)
	STORE(V20.S4, V21.S4, V22.S4, V23.S4)
	RET
