"""Prints the rows of table 1 of pss-detection.tex: PYTHONPATH=../receiver python3 table.py (some minutes)."""

from receiver import metrics

for snr_db in (-12, -9, -6, -3, 0, 3):
    one = metrics.measure(snr_db, 100, 7, (0.0,))
    five = metrics.measure(snr_db, 100, 7)
    print(rf"{snr_db} & {one.detected:.2f} & {five.detected:.2f} & {five.identified:.2f} & {five.cfo_error:.3f} \\")
print("false alarms:", metrics.false_alarm_rate(200, 5))
