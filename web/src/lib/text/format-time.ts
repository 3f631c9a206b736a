import { type ConsoleLanguage, localeOf } from '../i18n.ts'
import { formatDate, formatDateTime } from './format.ts'

/** The language of the reader and the zone in which moments are read; undefined is the browser's own. */
export interface TimeReader {
  readonly language: ConsoleLanguage
  readonly zone: string | undefined
}

type DateParts = Pick<Intl.DateTimeFormatOptions, 'year' | 'month' | 'day' | 'weekday'>

const withoutYear: DateParts = { month: 'short', day: 'numeric' }
const withYear: DateParts = { ...withoutYear, year: 'numeric' }
const numeric: DateParts = { month: 'numeric', day: 'numeric' }

/** Cached: creating a formatter takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

const formatParts = (unixSeconds: number, { language, zone }: TimeReader, parts: DateParts): string => {
  const kind = `${language} ${zone} ${Object.entries(parts).join()}`
  let format = formats.get(kind)
  if (!format) {
    // English dates are written with the day first, as everything in British English is.
    const locale = language === 'en' ? 'en-GB' : localeOf(language)
    format = new Intl.DateTimeFormat(locale, zone === undefined ? parts : { ...parts, timeZone: zone })
    formats.set(kind, format)
  }
  const text = format.format(unixSeconds * 1000)
  // Chinese texts of the console have a space between figures and words.
  return language === 'zh' || language === 'zh-TW'
    ? text.replace(/(\d)(?=[年月日])/g, '$1 ').replace(/([年月])(?=\d)/g, '$1 ')
    : text
}

/** Languages whose dates name all parts by their signs: they need the year of other years only. */
const isCjk = ({ language }: TimeReader): boolean => language === 'ja' || language === 'zh' || language === 'zh-TW'

const isThisYear = (unixSeconds: number, zone: string | undefined): boolean =>
  formatDate(unixSeconds, zone).slice(0, 4) === formatDate(Date.now() / 1000, zone).slice(0, 4)

/** `20:14:07`. */
export const formatClock = (unixSeconds: number, zone?: string): string => formatDateTime(unixSeconds, zone).slice(11)

/** `20:14`. */
export const formatMinute = (unixSeconds: number, zone?: string): string => formatClock(unixSeconds, zone).slice(0, 5)

/** `22 Nov 2026`, `22 нояб. 2026 г.`; in Chinese `11 月 22 日`, with the year if it is another one. */
export const formatDay = (unixSeconds: number, reader: TimeReader): string =>
  formatParts(unixSeconds, reader, isCjk(reader) && isThisYear(unixSeconds, reader.zone) ? withoutYear : withYear)

/** `Friday`. */
export const formatWeekday = (unixSeconds: number, reader: TimeReader): string =>
  formatParts(unixSeconds, reader, { weekday: 'long' })

/** `22 Nov`, in Chinese and Japanese `11/22`: for axes and other narrow places where the year is known. */
export const formatShortDay = (unixSeconds: number, reader: TimeReader): string =>
  formatParts(unixSeconds, reader, isCjk(reader) ? numeric : withoutYear)

/** `November 2026`; `short` for axes: `Nov 2026`. */
export const formatMonth = (unixSeconds: number, reader: TimeReader, short = false): string =>
  formatParts(unixSeconds, reader, { year: 'numeric', month: short ? 'short' : 'long' })

/** Between a day without its year and the time; a Vietnamese day ends with a figure. */
const gap = ({ language }: TimeReader): string => (language === 'vi' ? ', ' : ' ')

/** `22 Nov 06:00`, for the same places as `formatShortDay`. */
export const formatShortMoment = (unixSeconds: number, reader: TimeReader): string =>
  `${formatShortDay(unixSeconds, reader)}${gap(reader)}${formatMinute(unixSeconds, reader.zone)}`

/** `22 Nov 2026, 20:13:44`; in Chinese `11 月 22 日 20:13:44`. `minutes` leaves out the seconds. */
export const formatMoment = (unixSeconds: number, reader: TimeReader, minutes = false): string => {
  const clock = minutes ? formatMinute(unixSeconds, reader.zone) : formatClock(unixSeconds, reader.zone)
  return `${formatDay(unixSeconds, reader)}${isCjk(reader) ? '' : ','} ${clock}`
}

/** A moment in a row: of today the time alone, of this year without the year. */
export const formatRowMoment = (unixSeconds: number, reader: TimeReader): string => {
  const clock = formatClock(unixSeconds, reader.zone)
  if (formatDate(unixSeconds, reader.zone) === formatDate(Date.now() / 1000, reader.zone)) return clock
  const day = formatParts(unixSeconds, reader, isThisYear(unixSeconds, reader.zone) ? withoutYear : withYear)
  return `${day}${gap(reader)}${clock}`
}
