#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int peak(int n);
#ifdef __cplusplus
}
#endif
