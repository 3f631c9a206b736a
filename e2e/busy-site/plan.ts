/** Size of a generated site, and the moment that it ends at. */
export interface BusyPlan {
  readonly seed: number
  readonly days: number
  /** Rows of the log, failed calls included. */
  readonly rows: number
  readonly channels: number
  readonly users: number
  /** Milliseconds since 1970 of the newest call. */
  readonly until: number
}

export const busyPlan: Omit<BusyPlan, 'until'> = { seed: 1, days: 92, rows: 200_000, channels: 40, users: 2_000 }

/** Password of every generated user. */
export const busyPassword = 'battery-staple'

/** The user whose calls of the last 30 days cost more than those of any other. */
export const topSpender = 'top-spender'

/** Models of the site, and their share of its calls. */
export const models = [
  { name: 'gpt-4o-mini', share: 34 },
  { name: 'gpt-4o', share: 22 },
  { name: 'claude-3-7-sonnet-20250219', share: 18 },
  { name: 'deepseek-chat', share: 12 },
  { name: 'o3-mini', share: 8 },
  { name: 'text-embedding-3-small', share: 6 },
] as const

export type ModelName = (typeof models)[number]['name']

/** Groups, their ratio, and their share of the users. */
export const groups = [
  { name: 'default', ratio: 1, share: 70 },
  { name: 'vip', ratio: 0.8, share: 25 },
  { name: 'internal', ratio: 0.5, share: 5 },
] as const

/** Every tenth channel fails more than half of its calls of the last days, and of late all of them. */
export const isFailing = (channel: number): boolean => channel % 10 === 3

/** Days before the end in which the failing channels fail. */
export const failingDays = 2

/** Hours before the end in which they answer nothing. */
export const silentHours = 12

export const daySeconds = 86_400
