//go:build !purego

#include "textflag.h"

// Constants, each of them once: they are loaded into all parts of a vector.
DATA consts<>+0(SB)/4, $0xc2ae999a // lowest = -87.3; below it exp is 0 in float32, nearly
DATA consts<>+4(SB)/4, $0x3fb8aa3b // log2e = 1.4426950408889634
DATA consts<>+8(SB)/4, $0x3f318000 // ln2hi = 0.693359375; ln 2 in two parts: Cody and Waite
DATA consts<>+12(SB)/4, $0xb95e8083 // ln2lo = -0.00021219444
DATA consts<>+16(SB)/4, $0x39506967 // e0 = 0.000198756915; exp(r) = 1 + r + r²·P(r) for |r| < ln(2)/2: Cephes, expf
DATA consts<>+20(SB)/4, $0x3ab743ce // e1 = 0.0013981999507
DATA consts<>+24(SB)/4, $0x3c088908 // e2 = 0.0083334519073
DATA consts<>+28(SB)/4, $0x3d2aa9c1 // e3 = 0.041665795894
DATA consts<>+32(SB)/4, $0x3e2aaaaa // e4 = 0.16666665459
DATA consts<>+36(SB)/4, $0x3f000000 // e5 = 0.50000001201
DATA consts<>+40(SB)/4, $0x3f800000 // one = 1.0
DATA consts<>+44(SB)/4, $0x3f000000 // half = 0.5
DATA consts<>+48(SB)/4, $0x3f3504f3 // rsqrt2 = 0.7071067811865476
DATA consts<>+52(SB)/4, $0x3ea7ba05 // p = 0.3275911; erfc(z) = t·(a1 + t·(a2 + ...))·exp(-z²), t = 1/(1+p·z), within 1.5e-7: Abramowitz and Stegun 7.1.26
DATA consts<>+56(SB)/4, $0x3e827906 // a1 = 0.254829592
DATA consts<>+60(SB)/4, $0xbe91a98e // a2 = -0.284496736
DATA consts<>+64(SB)/4, $0x3fb5f0e3 // a3 = 1.421413741
DATA consts<>+68(SB)/4, $0xbfba00e3 // a4 = -1.453152027
DATA consts<>+72(SB)/4, $0x3f87dc22 // a5 = 1.061405429
GLOBL consts<>(SB), RODATA|NOPTR, $76

#define LOWEST consts<>+0(SB)
#define LOG2E consts<>+4(SB)
#define LN2HI consts<>+8(SB)
#define LN2LO consts<>+12(SB)
#define E0 consts<>+16(SB)
#define E1 consts<>+20(SB)
#define E2 consts<>+24(SB)
#define E3 consts<>+28(SB)
#define E4 consts<>+32(SB)
#define E5 consts<>+36(SB)
#define ONE consts<>+40(SB)
#define HALF consts<>+44(SB)
#define RSQRT2 consts<>+48(SB)
#define P consts<>+52(SB)
#define A1 consts<>+56(SB)
#define A2 consts<>+60(SB)
#define A3 consts<>+64(SB)
#define A4 consts<>+68(SB)
#define A5 consts<>+72(SB)

// EXP sets Y0 to exp(Y0), and uses Y1 to Y3. With n = round(x/ln 2) it is 2ⁿ·exp(x - n·ln 2), where 2ⁿ is added to the exponent.
#define EXP \
	VBROADCASTSS LOWEST, Y1 \
	VMAXPS Y1, Y0, Y0 \
	VBROADCASTSS LOG2E, Y1 \
	VMULPS Y1, Y0, Y1 \
	VROUNDPS $0, Y1, Y1 \
	VBROADCASTSS LN2HI, Y2 \
	VFNMADD231PS Y2, Y1, Y0 \
	VBROADCASTSS LN2LO, Y2 \
	VFNMADD231PS Y2, Y1, Y0 \
	VBROADCASTSS E0, Y2 \
	VBROADCASTSS E1, Y3 \
	VFMADD213PS Y3, Y0, Y2 \
	VBROADCASTSS E2, Y3 \
	VFMADD213PS Y3, Y0, Y2 \
	VBROADCASTSS E3, Y3 \
	VFMADD213PS Y3, Y0, Y2 \
	VBROADCASTSS E4, Y3 \
	VFMADD213PS Y3, Y0, Y2 \
	VBROADCASTSS E5, Y3 \
	VFMADD213PS Y3, Y0, Y2 \
	VMULPS Y0, Y2, Y2 \
	VFMADD213PS Y0, Y0, Y2 \
	VBROADCASTSS ONE, Y3 \
	VADDPS Y3, Y2, Y0 \
	VCVTPS2DQ Y1, Y1 \
	VPSLLD $23, Y1, Y1 \
	VPADDD Y1, Y0, Y0

// SUM sets the lowest number of X0 to the sum of those of Y0, and uses X1.
#define SUM \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPS X1, X0, X0 \
	VMOVHLPS X0, X0, X1 \
	VADDPS X1, X0, X0 \
	VMOVSHDUP X0, X1 \
	VADDSS X1, X0, X0

// func softmax256(x *float32, n int)
TEXT ·softmax256(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	SHLQ $2, CX
	VMOVUPS (SI), Y4
	XORQ AX, AX

top:
	VMAXPS (SI)(AX*1), Y4, Y4
	ADDQ $32, AX
	CMPQ AX, CX
	JNE  top

	VPERM2F128 $1, Y4, Y4, Y5
	VMAXPS Y5, Y4, Y4
	VPERMILPS $0x4e, Y4, Y5
	VMAXPS Y5, Y4, Y4
	VPERMILPS $0xb1, Y4, Y5
	VMAXPS Y5, Y4, Y4
	VXORPS Y5, Y5, Y5
	XORQ AX, AX

exp:
	VMOVUPS (SI)(AX*1), Y0
	VSUBPS Y4, Y0, Y0
	EXP
	VADDPS Y0, Y5, Y5
	VMOVUPS Y0, (SI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JNE  exp

	VMOVAPS Y5, Y0
	SUM
	VMOVSS ONE, X1
	VDIVSS X0, X1, X0
	VBROADCASTSS X0, Y5
	XORQ AX, AX

scale:
	VMULPS (SI)(AX*1), Y5, Y0
	VMOVUPS Y0, (SI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JNE  scale

	VZEROUPPER
	RET

// func gelu256(x *float32, n int)
TEXT ·gelu256(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS RSQRT2, Y8
	VBROADCASTSS P, Y9
	VBROADCASTSS ONE, Y10
	VBROADCASTSS HALF, Y11
	VXORPS Y12, Y12, Y12

loop:
	VMOVUPS (SI), Y4
	VSUBPS Y4, Y12, Y5
	VMAXPS Y4, Y5, Y5         // |x|
	VMULPS Y8, Y5, Y5         // z
	VMULPS Y5, Y5, Y0
	VSUBPS Y0, Y12, Y0
	EXP
	VMOVAPS Y10, Y6
	VFMADD231PS Y9, Y5, Y6
	VDIVPS Y6, Y10, Y6        // t
	VBROADCASTSS A5, Y1
	VBROADCASTSS A4, Y2
	VFMADD213PS Y2, Y6, Y1
	VBROADCASTSS A3, Y2
	VFMADD213PS Y2, Y6, Y1
	VBROADCASTSS A2, Y2
	VFMADD213PS Y2, Y6, Y1
	VBROADCASTSS A1, Y2
	VFMADD213PS Y2, Y6, Y1
	VMULPS Y6, Y1, Y1
	VMULPS Y0, Y1, Y1
	VMULPS Y11, Y1, Y1        // Φ(-|x|)
	VSUBPS Y1, Y10, Y2        // Φ(|x|)
	VBLENDVPS Y4, Y1, Y2, Y1  // by the sign of x
	VMULPS Y4, Y1, Y1
	VMOVUPS Y1, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  loop

	VZEROUPPER
	RET

// func norm256(x, y, gamma, beta *float32, n int, eps float32)
TEXT ·norm256(SB), NOSPLIT, $0-44
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ gamma+16(FP), R8
	MOVQ beta+24(FP), R9
	MOVQ n+32(FP), CX
	VCVTSI2SSQ CX, X6, X6
	SHLQ $2, CX
	VXORPS Y0, Y0, Y0
	XORQ AX, AX

sum:
	VMOVUPS (DI)(AX*1), Y1
	VADDPS (SI)(AX*1), Y1, Y1
	VADDPS Y1, Y0, Y0
	VMOVUPS Y1, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JNE  sum

	SUM
	VDIVSS X6, X0, X0
	VBROADCASTSS X0, Y4 // mean
	VXORPS Y0, Y0, Y0
	XORQ AX, AX

squares:
	VMOVUPS (DI)(AX*1), Y1
	VSUBPS Y4, Y1, Y1
	VFMADD231PS Y1, Y1, Y0
	ADDQ $32, AX
	CMPQ AX, CX
	JNE  squares

	SUM
	VDIVSS X6, X0, X0
	VADDSS eps+40(FP), X0, X0
	VSQRTSS X0, X0, X0
	VMOVSS ONE, X1
	VDIVSS X0, X1, X0
	VBROADCASTSS X0, Y5
	XORQ AX, AX

scale:
	VMOVUPS (DI)(AX*1), Y1
	VSUBPS Y4, Y1, Y1
	VMULPS Y5, Y1, Y1
	VMOVUPS (R8)(AX*1), Y2
	VFMADD213PS (R9)(AX*1), Y2, Y1
	VMOVUPS Y1, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JNE  scale

	VZEROUPPER
	RET
