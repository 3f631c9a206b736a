/** How many alerts one user may have. */
export const mostAlerts = 50
export const longestAlertName = 60

export const alertComparisons = ['above', 'below'] as const
export type AlertComparison = (typeof alertComparisons)[number]

/** Hours that a value is of, back from now. */
export const alertWindows = [1, 6, 24, 168] as const
export type AlertWindow = (typeof alertWindows)[number]
