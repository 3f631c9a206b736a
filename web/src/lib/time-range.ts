/** Unix seconds, both ends included; undefined means open. */
export interface TimeRange {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Ranges offered by name; relative ones stay relative in the address. */
export const rangeNames = [
  '15m',
  '1h',
  '6h',
  '24h',
  '3d',
  '7d',
  '30d',
  'today',
  'yesterday',
  'month',
  'year',
  'all',
] as const
export type RangeName = (typeof rangeNames)[number]

const unitSeconds = { m: 60, h: 3600, d: 86_400 } as const

const startOfDay = (nowSeconds: number, daysBack: number): number => {
  const day = new Date(nowSeconds * 1000)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - daysBack)
  return Math.floor(day.getTime() / 1000)
}

const startOfMonth = (nowSeconds: number): number => {
  const day = new Date(nowSeconds * 1000)
  return Math.floor(new Date(day.getFullYear(), day.getMonth(), 1).getTime() / 1000)
}

/** Reads `1h`, `today`, `month`, `all` or `1763600000..1763700000`; anything else is the fallback. */
export const readRange = (text: string | undefined, nowSeconds: number, fallback: RangeName = '24h'): TimeRange => {
  const given = text || fallback
  const fixed = /^(\d*)\.\.(\d*)$/.exec(given)
  if (fixed) return { from: fixed[1] ? Number(fixed[1]) : undefined, to: fixed[2] ? Number(fixed[2]) : undefined }
  const relative = /^(\d+)([mhd])$/.exec(given)
  if (relative) {
    const unit = relative[2] as keyof typeof unitSeconds
    return { from: nowSeconds - Number(relative[1]) * unitSeconds[unit], to: undefined }
  }
  if (given === 'today') return { from: startOfDay(nowSeconds, 0), to: undefined }
  if (given === 'yesterday') return { from: startOfDay(nowSeconds, 1), to: startOfDay(nowSeconds, 0) - 1 }
  if (given === 'year') return { from: nowSeconds - 365 * 86_400, to: undefined }
  if (given === 'month') return { from: startOfMonth(nowSeconds), to: undefined }
  if (given === 'all') return { from: undefined, to: undefined }
  return readRange(fallback, nowSeconds, '24h')
}

export const printRange = ({ from, to }: TimeRange): string => `${from ?? ''}..${to ?? ''}`
