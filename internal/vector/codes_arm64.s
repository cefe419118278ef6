//go:build !purego

#include "textflag.h"

// Instructions that the assembler has no name for. n and m are the sources, d what is set or added to.
#define SMULL(n, m, d) WORD $(0x0e20c000 | m<<16 | n<<5 | d)
#define SMULL2(n, m, d) WORD $(0x4e20c000 | m<<16 | n<<5 | d)
#define SMLAL(n, m, d) WORD $(0x0e208000 | m<<16 | n<<5 | d)
#define SMLAL2(n, m, d) WORD $(0x4e208000 | m<<16 | n<<5 | d)
#define SADALP(n, d) WORD $(0x4e606800 | n<<5 | d)

// func dotsWide(sums []int32, codes, q []byte)
//
// A group is 32 bytes of codes and 64 of q. Four products of codes of 0 to 15 with numbers of -127 to 127 fit into 16 bits; their sums are
// widened to 32 bits for each group.
TEXT ·dotsWide(SB), NOSPLIT, $0-72
	MOVD  sums_base+0(FP), R0
	MOVD  sums_len+8(FP), R1
	MOVD  codes_base+24(FP), R2
	MOVD  q_base+48(FP), R3
	MOVD  q_len+56(FP), R4
	LSR   $6, R4
	CBZ   R1, done
	CBZ   R4, done
	VMOVI $15, V31.B16

row:
	VEOR V0.B16, V0.B16, V0.B16
	MOVD R3, R5
	MOVD R4, R6

group:
	VLD1.P 32(R2), [V1.B16, V2.B16]
	VLD1.P 64(R5), [V4.B16, V5.B16, V6.B16, V7.B16]
	VUSHR  $4, V1.B16, V16.B16
	VUSHR  $4, V2.B16, V17.B16
	VAND   V31.B16, V1.B16, V1.B16
	VAND   V31.B16, V2.B16, V2.B16
	SMULL(1, 4, 18)
	SMULL2(1, 4, 19)
	SMLAL(2, 5, 18)
	SMLAL2(2, 5, 19)
	SMLAL(16, 6, 18)
	SMLAL2(16, 6, 19)
	SMLAL(17, 7, 18)
	SMLAL2(17, 7, 19)
	SADALP(18, 0)
	SADALP(19, 0)
	SUB    $1, R6
	CBNZ   R6, group

	VADDV  V0.S4, V0
	VMOV   V0.S[0], R7
	MOVW.P R7, 4(R0)
	SUB    $1, R1
	CBNZ   R1, row

done:
	RET
