/* Tables with a rule, in few words: DM_RUN1_N(v, s) is v, v + s, … N times, and DM_RUN2_N(v, w, s, t)
 * is v, w, v + s, w + t, … N times. Which bodies can touch is such a table: all pairs of a hundred
 * balls are 4,950, in a hundred runs. */
#ifndef DYVERSE_TABLES_H
#define DYVERSE_TABLES_H

#define DM_RUN1_2(v, s) (v), (v) + (s)
#define DM_RUN2_2(v, w, s, t) (v), (w), (v) + (s), (w) + (t)
#define DM_RUN1_4(v, s) DM_RUN1_2(v, s), DM_RUN1_2((v) + 2 * (s), s)
#define DM_RUN2_4(v, w, s, t) \
    DM_RUN2_2(v, w, s, t), DM_RUN2_2((v) + 2 * (s), (w) + 2 * (t), s, t)
#define DM_RUN1_8(v, s) DM_RUN1_4(v, s), DM_RUN1_4((v) + 4 * (s), s)
#define DM_RUN2_8(v, w, s, t) \
    DM_RUN2_4(v, w, s, t), DM_RUN2_4((v) + 4 * (s), (w) + 4 * (t), s, t)
#define DM_RUN1_16(v, s) DM_RUN1_8(v, s), DM_RUN1_8((v) + 8 * (s), s)
#define DM_RUN2_16(v, w, s, t) \
    DM_RUN2_8(v, w, s, t), DM_RUN2_8((v) + 8 * (s), (w) + 8 * (t), s, t)
#define DM_RUN1_32(v, s) DM_RUN1_16(v, s), DM_RUN1_16((v) + 16 * (s), s)
#define DM_RUN2_32(v, w, s, t) \
    DM_RUN2_16(v, w, s, t), DM_RUN2_16((v) + 16 * (s), (w) + 16 * (t), s, t)
#define DM_RUN1_64(v, s) DM_RUN1_32(v, s), DM_RUN1_32((v) + 32 * (s), s)
#define DM_RUN2_64(v, w, s, t) \
    DM_RUN2_32(v, w, s, t), DM_RUN2_32((v) + 32 * (s), (w) + 32 * (t), s, t)
#define DM_RUN1_128(v, s) DM_RUN1_64(v, s), DM_RUN1_64((v) + 64 * (s), s)
#define DM_RUN2_128(v, w, s, t) \
    DM_RUN2_64(v, w, s, t), DM_RUN2_64((v) + 64 * (s), (w) + 64 * (t), s, t)
#define DM_RUN1_256(v, s) DM_RUN1_128(v, s), DM_RUN1_128((v) + 128 * (s), s)
#define DM_RUN2_256(v, w, s, t) \
    DM_RUN2_128(v, w, s, t), DM_RUN2_128((v) + 128 * (s), (w) + 128 * (t), s, t)
#define DM_RUN1_512(v, s) DM_RUN1_256(v, s), DM_RUN1_256((v) + 256 * (s), s)
#define DM_RUN2_512(v, w, s, t) \
    DM_RUN2_256(v, w, s, t), DM_RUN2_256((v) + 256 * (s), (w) + 256 * (t), s, t)
#define DM_RUN1_1024(v, s) DM_RUN1_512(v, s), DM_RUN1_512((v) + 512 * (s), s)
#define DM_RUN2_1024(v, w, s, t) \
    DM_RUN2_512(v, w, s, t), DM_RUN2_512((v) + 512 * (s), (w) + 512 * (t), s, t)
#define DM_RUN1_2048(v, s) DM_RUN1_1024(v, s), DM_RUN1_1024((v) + 1024 * (s), s)
#define DM_RUN2_2048(v, w, s, t) \
    DM_RUN2_1024(v, w, s, t), DM_RUN2_1024((v) + 1024 * (s), (w) + 1024 * (t), s, t)
#define DM_RUN1_4096(v, s) DM_RUN1_2048(v, s), DM_RUN1_2048((v) + 2048 * (s), s)
#define DM_RUN2_4096(v, w, s, t) \
    DM_RUN2_2048(v, w, s, t), DM_RUN2_2048((v) + 2048 * (s), (w) + 2048 * (t), s, t)

#endif
