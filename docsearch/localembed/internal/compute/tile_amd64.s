//go:build !purego

#include "textflag.h"

// The tiles keep their whole result in registers. For each row of the panel b they load its numbers once, and multiply
// them by one number of each row of a.

// ROW512 adds the product of one number of a and two vectors of b to a row of the result.
#define ROW512(at, lo, hi) \
	VBROADCASTSS at, Z26 \
	VFMADD231PS Z24, Z26, lo \
	VFMADD231PS Z25, Z26, hi

// LOAD512 and STORE512 move a row, and step to the next.
#define LOAD512(lo, hi) \
	VMOVUPS (R11), lo \
	VMOVUPS 64(R11), hi \
	ADDQ R12, R11
#define STORE512(lo, hi) \
	VMOVUPS lo, (DI) \
	VMOVUPS hi, 64(DI) \
	ADDQ R13, DI

// func tile512(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)
// 12 rows, 32 columns.
TEXT ·tile512(SB), NOSPLIT, $0-64
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), DX
	MOVQ b+24(FP), BX
	MOVQ init+32(FP), R11
	MOVQ ldi+40(FP), R12
	MOVQ c+48(FP), DI
	MOVQ ldc+56(FP), R13
	SHLQ $2, DX
	SHLQ $2, R12
	SHLQ $2, R13
	LEAQ (DX)(DX*2), AX
	LEAQ (SI)(AX*1), R8
	LEAQ (R8)(AX*1), R9
	LEAQ (R9)(AX*1), R10
	LOAD512(Z0, Z1)
	LOAD512(Z2, Z3)
	LOAD512(Z4, Z5)
	LOAD512(Z6, Z7)
	LOAD512(Z8, Z9)
	LOAD512(Z10, Z11)
	LOAD512(Z12, Z13)
	LOAD512(Z14, Z15)
	LOAD512(Z16, Z17)
	LOAD512(Z18, Z19)
	LOAD512(Z20, Z21)
	LOAD512(Z22, Z23)

loop:
	VMOVUPS (BX), Z24
	VMOVUPS 64(BX), Z25
	ROW512((SI), Z0, Z1)
	ROW512((SI)(DX*1), Z2, Z3)
	ROW512((SI)(DX*2), Z4, Z5)
	ROW512((R8), Z6, Z7)
	ROW512((R8)(DX*1), Z8, Z9)
	ROW512((R8)(DX*2), Z10, Z11)
	ROW512((R9), Z12, Z13)
	ROW512((R9)(DX*1), Z14, Z15)
	ROW512((R9)(DX*2), Z16, Z17)
	ROW512((R10), Z18, Z19)
	ROW512((R10)(DX*1), Z20, Z21)
	ROW512((R10)(DX*2), Z22, Z23)
	ADDQ $4, SI
	ADDQ $4, R8
	ADDQ $4, R9
	ADDQ $4, R10
	ADDQ $128, BX
	DECQ CX
	JNZ  loop

	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	STORE512(Z20, Z21)
	STORE512(Z22, Z23)
	VZEROUPPER
	RET

#define ROW256(at, lo, hi) \
	VBROADCASTSS at, Y14 \
	VFMADD231PS Y12, Y14, lo \
	VFMADD231PS Y13, Y14, hi
#define LOAD256(lo, hi) \
	VMOVUPS (R11), lo \
	VMOVUPS 32(R11), hi \
	ADDQ R12, R11
#define STORE256(lo, hi) \
	VMOVUPS lo, (DI) \
	VMOVUPS hi, 32(DI) \
	ADDQ R13, DI

// func tile256(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)
// 6 rows, 16 columns.
TEXT ·tile256(SB), NOSPLIT, $0-64
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), DX
	MOVQ b+24(FP), BX
	MOVQ init+32(FP), R11
	MOVQ ldi+40(FP), R12
	MOVQ c+48(FP), DI
	MOVQ ldc+56(FP), R13
	SHLQ $2, DX
	SHLQ $2, R12
	SHLQ $2, R13
	LEAQ (DX)(DX*2), AX
	LEAQ (SI)(AX*1), R8
	LOAD256(Y0, Y1)
	LOAD256(Y2, Y3)
	LOAD256(Y4, Y5)
	LOAD256(Y6, Y7)
	LOAD256(Y8, Y9)
	LOAD256(Y10, Y11)

loop:
	VMOVUPS (BX), Y12
	VMOVUPS 32(BX), Y13
	ROW256((SI), Y0, Y1)
	ROW256((SI)(DX*1), Y2, Y3)
	ROW256((SI)(DX*2), Y4, Y5)
	ROW256((R8), Y6, Y7)
	ROW256((R8)(DX*1), Y8, Y9)
	ROW256((R8)(DX*2), Y10, Y11)
	ADDQ $4, SI
	ADDQ $4, R8
	ADDQ $64, BX
	DECQ CX
	JNZ  loop

	STORE256(Y0, Y1)
	STORE256(Y2, Y3)
	STORE256(Y4, Y5)
	STORE256(Y6, Y7)
	STORE256(Y8, Y9)
	STORE256(Y10, Y11)
	VZEROUPPER
	RET
