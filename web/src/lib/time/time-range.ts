import { startOfDay, startOfMonth } from './zoned-time.ts'

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

/**
 * Reads `1h`, `today`, `month`, `all` or `1763600000..1763700000`; anything else is the fallback. Days and months begin in
 * `zone`; undefined is the browser's own.
 */
export const readRange = (
  text: string | undefined,
  nowSeconds: number,
  fallback: RangeName,
  zone: string | undefined,
): TimeRange => {
  const rangeText = text || fallback
  const fixed = /^(\d*)\.\.(\d*)$/.exec(rangeText)
  if (fixed) return { from: fixed[1] ? Number(fixed[1]) : undefined, to: fixed[2] ? Number(fixed[2]) : undefined }
  const relative = /^(\d+)([mhd])$/.exec(rangeText)
  if (relative) {
    const unit = relative[2] as keyof typeof unitSeconds
    return { from: nowSeconds - Number(relative[1]) * unitSeconds[unit], to: undefined }
  }
  if (rangeText === 'today') return { from: startOfDay(nowSeconds, 0, zone), to: undefined }
  if (rangeText === 'yesterday')
    return { from: startOfDay(nowSeconds, 1, zone), to: startOfDay(nowSeconds, 0, zone) - 1 }
  if (rangeText === 'year') return { from: nowSeconds - 365 * 86_400, to: undefined }
  if (rangeText === 'month') return { from: startOfMonth(nowSeconds, zone), to: undefined }
  if (rangeText === 'all') return { from: undefined, to: undefined }
  return readRange(fallback, nowSeconds, '24h', zone)
}

export const printRange = ({ from, to }: TimeRange): string => `${from ?? ''}..${to ?? ''}`
