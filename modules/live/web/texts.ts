import { formatDuration, formatInteger } from '#web/lib/text/format.ts'

export const dash = '—'

const kilobyte = 1024

/** 512 kB, 48 MB, 1.2 GB. */
export const bytesText = (bytes: number): string => {
  if (bytes < kilobyte ** 2) return `${formatInteger(Math.ceil(bytes / kilobyte))} kB`
  if (bytes < kilobyte ** 3) return `${formatInteger(Math.round(bytes / kilobyte ** 2))} MB`
  return `${(bytes / kilobyte ** 3).toFixed(1)} GB`
}

export const msText = (ms: number | null): string => (ms === null ? dash : formatDuration(ms))

/** 0.4 ms, 12 ms: times that are short when all is well. */
export const shortMsText = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : formatInteger(Math.round(ms))} ms`

export const rateText = (rate: number): string => (rate >= 100 ? formatInteger(Math.round(rate)) : rate.toFixed(1))
