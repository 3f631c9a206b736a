/** A row's month must end, and the job be done. */
const longestDelay = 31 + 2

/** True if rows that are so many days old are archived for sure; `afterDays` is that of the option, 0 for never. */
export const isArchivedAfter = (afterDays: number, days: number): boolean =>
  afterDays > 0 && days >= afterDays + longestDelay
