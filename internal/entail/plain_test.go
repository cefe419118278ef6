package entail

import "testing"

// Plain sentences over short texts: those that a reader decides at once.
func TestJudgePlain(t *testing.T) {
	const (
		workers  = "The scheduler polls each worker every 5 seconds. If a worker does not answer within 15 seconds, the scheduler marks it as lost and reassigns its tasks. Lost workers must register again before they receive new tasks."
		noise    = "We evaluated the detector on 1,200 recordings. With noise reduction the error rate fell from 12 % to 8 %, but latency rose by 30 ms. Without noise reduction, the detector missed most of the short bursts."
		antenna  = "The antenna gain is 14 dBi in the horizontal plane. The transmitter may be operated at full power only when the fan is running. The fuse must never be replaced while the unit is connected to the mains."
		models   = "| Model | Memory (MB) | Speed (tokens/s) | Accuracy (%) |\n|---|---|---|---|\n| Small | 120 | 950 | 81.2 |\n| Medium | 480 | 410 | 86.9 |\n| Large | 1,900 | 130 | 88.4 |\n"
		release  = "Version 3 removes the old parser. Support for Windows is planned for version 4. All plugins that use the old parser have to be rebuilt, except those written in Go. The cache is cleared when the configuration changes, because stale entries caused wrong results."
		files    = "The library opens at most 32 files at once. Files that have not been read for ten minutes are closed. `Open` returns ErrLimit if the limit is reached; callers should retry after a short pause. The limit can be raised with SetLimit, but not above 512."
		patients = "The study followed 240 patients for two years. Patients who exercised at least three times a week had 22 % fewer falls than those who did not. The effect was larger in women than in men. Two patients in the exercise group and nine in the control group left the study early. The authors recommend further trials with older patients."
		bridge   = "The bridge was built in 1931 by the Hanson company and repaired in 1978. It carries about 4,000 vehicles a day, half of them trucks. Since the storm of 2019 trucks heavier than 20 tonnes have been banned. A new bridge will be opened in 2027, 300 metres upstream."
		receiver = "The receiver computes the channel estimate from the pilot symbols and passes it to the equalizer. The equalizer removes the interference between symbols. If the signal-to-noise ratio falls below 6 dB, the receiver switches from 16-QAM to QPSK. The decoder corrects up to four errors in each block."
		methods  = "| Method | Precision | Recall | F1 |\n|---|---|---|---|\n| Baseline | 0.71 | 0.64 | 0.67 |\n| With cache | 0.70 | 0.66 | 0.68 |\n| Full system | 0.79 | 0.75 | 0.77 |\n"
		sessions = "The server keeps each session for 30 minutes. A session that is not used during this time is deleted. Administrators can see all sessions, while users see only their own. Passwords are stored as hashes and are never written to the log. The backup runs at 02:00 every night and takes about 40 minutes."
	)
	for _, tt := range []struct {
		evidence, sentence string
		want               Verdict
	}{
		{workers, "Each worker is polled by the scheduler every five seconds.", Supported},
		{workers, "A worker that stays silent for 15 seconds is marked as lost, and its tasks are given to others.", Supported},
		{workers, "The scheduler polls each worker every 15 seconds.", Unsupported},
		{workers, "The scheduler polls each worker every 5 minutes.", Unsupported},
		{workers, "The worker polls the scheduler every 5 seconds.", Unsupported},
		{workers, "Lost workers must register again after they receive new tasks.", Unsupported},
		{workers, "The scheduler marks a worker as lost after at least 5 seconds.", Unsupported},
		{noise, "Noise reduction cost 30 ms of latency.", Supported},
		{noise, "The evaluation used 1,200 recordings.", Supported},
		{noise, "With noise reduction the error rate rose from 8 % to 12 %.", Unsupported},
		{noise, "With noise reduction the error rate fell from 12 % to 8 % and latency fell by 30 ms.", Unsupported},
		{noise, "With noise reduction, the detector missed most of the short bursts.", Unsupported},
		{noise, "Without noise reduction, the detector missed all of the short bursts.", Unsupported},
		{noise, "The detector was evaluated on 12,000 recordings.", Unsupported},
		{antenna, "Full power is allowed only with a running fan.", Supported},
		{antenna, "The transmitter may be operated at full power when the fan is not running.", Unsupported},
		{antenna, "The transmitter may be operated at full power.", Unsupported},
		{antenna, "The fuse may be replaced while the unit is connected to the mains.", Unsupported},
		{antenna, "The antenna gain is 14 dBm in the horizontal plane.", Unsupported},
		{models, "The medium model uses 480 MB of memory.", Supported},
		{models, "The large model reaches 88.4 % accuracy at 130 tokens per second.", Supported},
		{models, "The small model is the fastest, with 950 tokens per second.", Supported},
		{models, "The medium model reaches 88.4 % accuracy.", Unsupported},
		{models, "The small model needs 950 MB of memory.", Unsupported},
		{models, "The large model is the fastest.", Unsupported},
		{models, "The medium model is faster than the small model.", Unsupported},
		{models, "The large model is slower than the medium model.", Supported},
		{release, "Version 3 supports Windows.", Unsupported},
		{release, "Windows is supported since version 4.", Unsupported},
		{release, "All plugins that use the old parser have to be rebuilt.", Unsupported},
		{release, "Plugins written in Go need not be rebuilt.", Supported},
		{release, "The configuration changes when the cache is cleared.", Unsupported},
		{release, "Because stale entries led to wrong results, the cache is emptied whenever the configuration changes.", Supported},
		{files, "No more than 32 files are open at the same time.", Supported},
		{files, "SetLimit can raise the limit to 512 at most.", Supported},
		{files, "When the limit is reached, `Open` returns ErrLimit.", Supported},
		{files, "The library opens at least 32 files at once.", Unsupported},
		{files, "Files that have been read within ten minutes are closed.", Unsupported},
		{files, "Files that have not been read for ten hours are closed.", Unsupported},
		{files, "The limit can be raised above 512 with SetLimit.", Unsupported},
		{files, "The limit cannot be raised.", Unsupported},
		{files, "SetLimit returns ErrLimit if the limit is reached.", Unsupported},
		{patients, "240 patients took part, who were followed for 24 months.", Supported},
		{patients, "Those who exercised three or more times a week fell 22 % less often.", Supported},
		{patients, "Nine patients of the control group dropped out.", Supported},
		{patients, "The effect was larger in men than in women.", Unsupported},
		{patients, "Further trials with older patients were carried out.", Unsupported},
		{patients, "All patients exercised at least three times a week.", Unsupported},
		{patients, "The study followed 240 patients for two months.", Unsupported},
		{patients, "Patients who exercised at most three times a week had 22 % fewer falls.", Unsupported},
		{bridge, "The Hanson company built the bridge in 1931.", Supported},
		{bridge, "Trucks of more than 20 tonnes have not been allowed since the storm of 2019.", Supported},
		{bridge, "The bridge was built in 1978 and repaired in 1931.", Unsupported},
		{bridge, "The bridge was repaired by the Hanson company in 1978.", Unsupported},
		{bridge, "A new bridge was opened in 2027, 300 metres upstream.", Unsupported},
		{bridge, "It carries about 4,000 vehicles a day, most of them trucks.", Unsupported},
		{bridge, "Before the storm of 2019 trucks heavier than 20 tonnes were banned.", Unsupported},
		{receiver, "The channel estimate is computed by the receiver from pilot symbols.", Supported},
		{receiver, "Below 6 dB the receiver changes from 16-QAM to QPSK.", Supported},
		{receiver, "Up to four errors per block are corrected by the decoder.", Supported},
		{receiver, "The receiver switches from QPSK to 16-QAM if the signal-to-noise ratio falls below 6 dB.", Unsupported},
		{receiver, "The equalizer computes the channel estimate from the pilot symbols.", Unsupported},
		{receiver, "The decoder removes the interference between symbols.", Unsupported},
		{receiver, "The decoder corrects at least four errors in each block.", Unsupported},
		{receiver, "If the signal-to-noise ratio rises above 6 dB, the receiver switches from 16-QAM to QPSK.", Unsupported},
		{methods, "The full system has the highest F1, 0.77.", Supported},
		{methods, "With cache, recall is 0.66.", Supported},
		{methods, "The baseline has a higher precision than the system with cache.", Supported},
		{methods, "With cache, precision is 0.66.", Unsupported},
		{methods, "The full system has a recall of 0.79.", Unsupported},
		{methods, "The baseline has the highest precision.", Unsupported},
		{sessions, "Sessions are kept for half an hour.", Supported},
		{sessions, "Users can see their own sessions only.", Supported},
		{sessions, "Passwords never appear in the log.", Supported},
		{sessions, "Every night at 02:00 the backup starts; it needs roughly 40 minutes.", Supported},
		{sessions, "Passwords are written to the log.", Unsupported},
		{sessions, "The backup takes about 30 minutes.", Unsupported},
		{sessions, "The backup runs at 02:00 every night and takes about 40 seconds.", Unsupported},
		{sessions, "A session that is used during this time is deleted.", Unsupported},
	} {
		if got := Judge(tt.sentence, tt.evidence); got.Verdict != tt.want {
			t.Errorf("%q: %s (%s), want %s", tt.sentence, got.Verdict, got.Reason, tt.want)
		}
	}
}
