/** How long spending counts towards a cap: by calendar days or months in UTC, or for good. */
export type CapPeriod = 'day' | 'month' | 'total'

/** Windows are numbered within a cap; 65,536 of them reach beyond the year 2149. */
const windowsPerCap = 65_536
const dayMs = 86_400_000

const windowOf = (period: CapPeriod, at: number): number => {
  if (period === 'total') return 0
  if (period === 'day') return Math.floor(at / dayMs)
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The account that counts what a cap's member or project spends by calls that began at `at`, in milliseconds since 1970. */
export const capAccount = (cap: { readonly id: number; readonly period: CapPeriod }, at: number): number =>
  cap.id * windowsPerCap + windowOf(cap.period, at)

/** The cap that an account belongs to. */
export const capOfAccount = (account: number): number => Math.floor(account / windowsPerCap)
