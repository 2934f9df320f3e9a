/* The reference model, variant dedupe without a single writer, for Spin:
   M messages, C consumers, K crashes, T leases that end early. Every step is
   one d_step, so Spin's states are the model's. */

#ifndef M
#define M 2
#endif
#ifndef C
#define C 2
#endif
#ifndef K
#define K 1
#endif
#ifndef T
#define T 1
#endif

/* where a message is; from HELD on: delivered to consumer number (value - HELD) */
#define NEW   0
#define READY 1
#define ACKED 2
#define HELD  3

/* where a consumer stands */
#define IDLE    0
#define GOT     1
#define BEGUN   2
#define MARKED  3
#define APPLIED 4
#define DUP     5
#define DONE    6

byte msg[M];
byte mark[M];     /* 0 none, 1 pending, 2 committed */
byte effects[M];
byte pc[C];
byte cur[C];      /* message number plus one; 0 while idle */
byte next;
byte crashes = K;
byte timeouts = T;

#define MINE(c) (msg[cur[c] - 1] == HELD + (c))

inline publish() {
	d_step { next < M; msg[next] = READY; next++ }
}

inline expire(i) {
	d_step { timeouts > 0 && msg[i] >= HELD; msg[i] = READY; timeouts-- }
}

inline receive(c, i) {
	d_step { pc[c] == IDLE && msg[i] == READY; msg[i] = HELD + c; cur[c] = i + 1; pc[c] = GOT }
}

inline work(c) {
	if
	:: d_step { pc[c] == GOT; pc[c] = BEGUN }
	:: d_step { pc[c] == BEGUN && mark[cur[c] - 1] == 0; mark[cur[c] - 1] = 1; pc[c] = MARKED }
	:: d_step { pc[c] == BEGUN && mark[cur[c] - 1] == 2; pc[c] = DUP }
	:: d_step { pc[c] == MARKED; pc[c] = APPLIED }
	:: d_step { pc[c] == APPLIED; mark[cur[c] - 1] = 2; effects[cur[c] - 1]++; pc[c] = DONE }
	:: d_step { pc[c] == DUP; pc[c] = DONE }
	:: d_step { pc[c] == DONE;
		if
		:: MINE(c) -> msg[cur[c] - 1] = ACKED
		:: else
		fi;
		cur[c] = 0; pc[c] = IDLE }
	:: d_step { crashes > 0 && pc[c] != IDLE; crashes--;
		if
		:: MINE(c) -> msg[cur[c] - 1] = READY
		:: else
		fi;
		if
		:: pc[c] == MARKED || pc[c] == APPLIED -> mark[cur[c] - 1] = 0
		:: else
		fi;
		cur[c] = 0; pc[c] = IDLE }
	fi
}

active proctype world() {
end:	do
	:: publish()
	:: expire(0)
	:: receive(0, 0)
	:: work(0)
#if M > 1
	:: expire(1)
	:: receive(0, 1)
#endif
#if M > 2
	:: expire(2)
	:: receive(0, 2)
#endif
#if M > 3
	:: expire(3)
	:: receive(0, 3)
#endif
#if C > 1
	:: receive(1, 0)
	:: work(1)
#if M > 1
	:: receive(1, 1)
#endif
#if M > 2
	:: receive(1, 2)
#endif
#if M > 3
	:: receive(1, 3)
#endif
#endif
#if C > 2
	:: receive(2, 0)
	:: work(2)
#if M > 1
	:: receive(2, 1)
#endif
#if M > 2
	:: receive(2, 2)
#endif
#if M > 3
	:: receive(2, 3)
#endif
#endif
	od
}
