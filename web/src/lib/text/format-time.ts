import type { Language } from '../i18n.ts'
import { formatDate, formatDateTime } from './format.ts'

/** The language of the reader and the zone in which moments are read; undefined is the browser's own. */
export interface TimeReader {
  readonly language: Language
  readonly zone: string | undefined
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

const dayOf = (unixSeconds: number, zone: string | undefined): { year: number; month: number; day: number } => {
  const [year = 0, month = 1, day = 1] = formatDate(unixSeconds, zone).split('-').map(Number)
  return { year, month, day }
}

const isThisYear = (year: number, zone: string | undefined): boolean => dayOf(Date.now() / 1000, zone).year === year

const dayText = (unixSeconds: number, { language, zone }: TimeReader, withYear: boolean): string => {
  const { year, month, day } = dayOf(unixSeconds, zone)
  if (language === 'zh') return `${withYear ? `${year} 年 ` : ''}${month} 月 ${day} 日`
  return `${day} ${months[month - 1] ?? month}${withYear ? ` ${year}` : ''}`
}

/** `20:14:07`. */
export const formatClock = (unixSeconds: number, zone?: string): string => formatDateTime(unixSeconds, zone).slice(11)

/** `22 Nov 2026`; in Chinese `11 月 22 日`, with the year if it is another one. */
export const formatDay = (unixSeconds: number, reader: TimeReader): string =>
  dayText(
    unixSeconds,
    reader,
    reader.language === 'en' || !isThisYear(dayOf(unixSeconds, reader.zone).year, reader.zone),
  )

/** `22 Nov 2026, 20:13:44`; in Chinese `11 月 22 日 20:13:44`. `minutes` leaves out the seconds. */
export const formatMoment = (unixSeconds: number, reader: TimeReader, minutes = false): string => {
  const clock = formatClock(unixSeconds, reader.zone).slice(0, minutes ? 5 : 8)
  return `${formatDay(unixSeconds, reader)}${reader.language === 'en' ? ',' : ''} ${clock}`
}

/** A moment in a row: of today the time alone, of this year without the year. */
export const formatRowMoment = (unixSeconds: number, reader: TimeReader): string => {
  const clock = formatClock(unixSeconds, reader.zone)
  if (formatDate(unixSeconds, reader.zone) === formatDate(Date.now() / 1000, reader.zone)) return clock
  const { year } = dayOf(unixSeconds, reader.zone)
  return `${dayText(unixSeconds, reader, !isThisYear(year, reader.zone))} ${clock}`
}
