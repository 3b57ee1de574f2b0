/* S = L Lᵀ, block by block; conditions that earlier ones imply get no part in it. */

#define DV_BLOCK (DV_HELD * DV_HELD)

/* B times Cᵀ out of A. */
static void dv_take_product(double *A, const double *B, const double *C) {
    for (int r = 0; r < DV_HELD; r++)
        for (int s = 0; s < DV_HELD; s++)
            A[DV_HELD * r + s] -= dv_dot(B + DV_HELD * r, C + DV_HELD * s, DV_HELD);
}

/* L of one block, in place. */
static void dv_factor_own(double *A, double *pivot) {
    for (int k = 0; k < DV_HELD; k++) {
        double *row = A + DV_HELD * k, rest = row[k] - dv_dot(row, row, k);
        pivot[k] = rest > DV_SAME ? 1 / sqrt(rest) : 0.0;
        for (int i = k + 1; i < DV_HELD; i++) {
            double *other = A + DV_HELD * i;
            other[k] = (other[k] - dv_dot(other, row, k)) * pivot[k];
        }
    }
}

/* b := L⁻¹ b, and b := L⁻ᵀ b, with a block of L. */
static void dv_own_forward(const double *L, const double *pivot, double *b) {
    for (int k = 0; k < DV_HELD; k++) b[k] = (b[k] - dv_dot(L + DV_HELD * k, b, k)) * pivot[k];
}

static void dv_own_back(const double *L, const double *pivot, double *b) {
    for (int k = DV_HELD - 1; k >= 0; k--) {
        for (int i = k + 1; i < DV_HELD; i++) b[k] -= L[DV_HELD * i + k] * b[i];
        b[k] *= pivot[k];
    }
}

/* The block of S that joint j has in column i; one of both may be the other's later neighbour. */
static double *dv_joint_block(const dv_joints *h, int j, int i) {
    if (i == j) return h->own + DV_BLOCK * i;
    int at = h->first[i];
    while (h->after[at] != j) at++;
    return h->below + DV_BLOCK * at;
}

static void dv_factor_joints(dv_joints *h) {
    for (int i = 0; i < h->count; i++) {
        const double *L = h->own + DV_BLOCK * i, *pivot = h->pivot + DV_HELD * i;
        dv_factor_own(h->own + DV_BLOCK * i, h->pivot + DV_HELD * i);
        for (int at = h->first[i]; at < h->first[i + 1]; at++) {
            double *B = h->below + DV_BLOCK * at;
            for (int r = 0; r < DV_HELD; r++) dv_own_forward(L, pivot, B + DV_HELD * r);
            for (int other = h->first[i]; other <= at; other++)
                dv_take_product(dv_joint_block(h, h->after[at], h->after[other]), B,
                                h->below + DV_BLOCK * other);
        }
    }
}

/* b := L⁻¹ b for a vector of all conditions. */
static void dv_forward(const dv_joints *h, double *b) {
    for (int i = 0; i < h->count; i++) {
        double *own = b + DV_HELD * i;
        dv_own_forward(h->own + DV_BLOCK * i, h->pivot + DV_HELD * i, own);
        for (int at = h->first[i]; at < h->first[i + 1]; at++)
            for (int r = 0; r < DV_HELD; r++)
                b[DV_HELD * h->after[at] + r] -=
                    dv_dot(h->below + DV_BLOCK * at + DV_HELD * r, own, DV_HELD);
    }
}

/* b := L⁻ᵀ b. */
static void dv_back(const dv_joints *h, double *b) {
    for (int i = h->count - 1; i >= 0; i--) {
        double *own = b + DV_HELD * i;
        for (int at = h->first[i]; at < h->first[i + 1]; at++)
            for (int r = 0; r < DV_HELD; r++) {
                const double *row = h->below + DV_BLOCK * at + DV_HELD * r;
                double other = b[DV_HELD * h->after[at] + r];
                for (int k = 0; k < DV_HELD; k++) own[k] -= row[k] * other;
            }
        dv_own_back(h->own + DV_BLOCK * i, h->pivot + DV_HELD * i, own);
    }
}
