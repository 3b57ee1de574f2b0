/* Draws among enabled edges from a seed: the same that dyverse.simulation.choice makes with NumPy's
 * default generator, so that one seed gives one run everywhere. The generator is PCG XSL RR 128/64;
 * its state comes from the seed by hashes of 32-bit words. */

#define DM_POOL 4 /* words that a seed is spread over */

typedef struct {
    unsigned long long high, low;
} dm_wide;

typedef struct {
    dm_wide state, step;
    unsigned int half; /* of the last number, of which only one half was used */
    int has_half;
} dm_dice;

static dm_wide dm_plus(dm_wide a, dm_wide b) {
    dm_wide sum = {a.high + b.high, a.low + b.low};
    sum.high += sum.low < a.low;
    return sum;
}

static dm_wide dm_times(dm_wide a, dm_wide b) {
    const unsigned long long half = 0xffffffffull;
    unsigned long long a0 = a.low & half, a1 = a.low >> 32, b0 = b.low & half, b1 = b.low >> 32;
    unsigned long long middle = a1 * b0 + ((a0 * b0) >> 32), other = a0 * b1 + (middle & half);
    dm_wide product = {a1 * b1 + (middle >> 32) + (other >> 32) + a.high * b.low + a.low * b.high,
                       a.low * b.low};
    return product;
}

static unsigned long long dm_draw(dm_dice *d) {
    const dm_wide factor = {2549297995355413924ull, 4865540595714422341ull};
    d->state = dm_plus(dm_times(d->state, factor), d->step);
    unsigned long long mixed = d->state.high ^ d->state.low;
    unsigned int turn = (unsigned int)(d->state.high >> 58);
    return (mixed >> turn) | (mixed << ((64u - turn) & 63u));
}

/* A number in [0, 1). */
static double dm_draw_share(dm_dice *d) {
    return (double)(dm_draw(d) >> 11) / 9007199254740992.0;
}

static unsigned int dm_draw_half(dm_dice *d) {
    d->has_half = !d->has_half;
    if (!d->has_half) return d->half;
    unsigned long long whole = dm_draw(d);
    d->half = (unsigned int)(whole >> 32);
    return (unsigned int)(whole & 0xffffffffu);
}

/* One of `count` numbers from 0 on, all equally often: a product's upper half, drawn anew where its
 * lower half would favour some. */
static int dm_draw_below(dm_dice *d, int count) {
    unsigned int most = (unsigned int)count, unfair = (0xffffffffu - (most - 1u)) % most;
    unsigned long long product;
    do product = (unsigned long long)dm_draw_half(d) * most;
    while ((unsigned int)(product & 0xffffffffu) < unfair);
    return (int)(product >> 32);
}

static unsigned int dm_hash(unsigned int word, unsigned int *key, unsigned int factor) {
    word ^= *key;
    *key *= factor;
    word *= *key;
    return word ^ (word >> 16);
}

static void dm_spread_seed(unsigned long long seed, unsigned int *pool) {
    unsigned int key = 0x43b0d7e5u;
    for (int i = 0; i < DM_POOL; i++) {
        pool[i] = dm_hash((unsigned int)(seed & 0xffffffffu), &key, 0x931e8875u);
        seed >>= 32;
    }
    for (int from = 0; from < DM_POOL; from++)
        for (int to = 0; to < DM_POOL; to++) {
            if (from == to) continue;
            unsigned int word = dm_hash(pool[from], &key, 0x931e8875u);
            word = 0xca01f9ddu * pool[to] - 0x4973f715u * word;
            pool[to] = word ^ (word >> 16);
        }
}

static void dm_sow(dm_dice *d, unsigned long long seed) {
    unsigned int pool[DM_POOL], key = 0x8b51f9ddu;
    unsigned long long word[DM_POOL] = {0};
    dm_spread_seed(seed, pool);
    for (int i = 0; i < 2 * DM_POOL; i++)
        word[i / 2] |= (unsigned long long)dm_hash(pool[i % DM_POOL], &key, 0x58f38dedu)
                       << (32 * (i % 2));
    dm_wide start = {word[0], word[1]};
    memset(d, 0, sizeof *d);
    d->step.high = (word[2] << 1) | (word[3] >> 63);
    d->step.low = (word[3] << 1) | 1u;
    d->state = dm_plus(d->step, start);
    dm_draw(d);
}
