/* Joints, taken out of the mechanics before contact is looked at: see dyverse.mechanics.joint.
 *
 * Joint i has the rows 6 i, 6 i + 1, … of a vector of all conditions; those that its kind has not got are
 * zero. Rows are measured by the acceleration that they cause: each has length one where every mass is
 * one. S = W M⁻¹ Wᵀ has a block for every two joints of one body, so that its factor L costs, in the
 * order in which joints come, as much as there are links in a chain. */
#ifndef DV_JOINT_H
#define DV_JOINT_H

#define DV_HELD 6           /* conditions of a joint, at most */
#define DV_JOINT_ROWS 7     /* these, and its coordinate */
#define DV_SAME 1e-9       /* pivots of S below this are of conditions that others imply */
#define DV_ALL_TAKEN 1e-10  /* share of what a force does by itself below which joints take all of it */
#define DV_FITTED 2         /* steps of Newton's method, each of which squares what is wrong */

typedef struct {
    int count, angles;
    int *ends;          /* per joint: its two bodies, -1 for the world itself */
    int *kind;          /* for dv_model_joint */
    int *conditions;
    int *fitting;       /* where its numbers begin in p */
    int *angle;         /* which of the angles its coordinate is, or -1 */
    int *first, *after; /* of each joint in `after`: the later ones that its column of L reaches */

    double *at;         /* the state that all that follows is of, */
    int known;          /* if there is one */
    double *value, *bias; /* of the rows of each joint, its coordinate behind them: c̈ = J v̇ + bias */
    double *J;          /* 12 entries for each of these rows: six for each body */
    double *MJ;         /* M⁻¹ times the rows, in the same places */
    double *scale;      /* of conditions: by what the rows were multiplied */
    double *own, *below; /* blocks of L, 36 numbers each: on the diagonal, and as `after` lists them */
    double *pivot;      /* over one; 0: the condition is implied by others */
    double *work;       /* a vector of all conditions */
} dv_joints;

#endif
