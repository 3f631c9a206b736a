/** Sums of the rows that a link opens, as the figure beside it states them. */
interface SummedRows {
  /** Calls, failed ones included. */
  readonly calls?: number | undefined
  /** Quota units. */
  readonly quota?: number | null | undefined
}

/** Attributes that name the figures of a link to rows, and of the list of these rows: a proof follows each link and compares the two. */
export const summedRows = ({ calls, quota }: SummedRows) => ({
  ...(calls === undefined ? {} : { 'data-calls': calls }),
  ...(quota == null ? {} : { 'data-quota': quota }),
})
